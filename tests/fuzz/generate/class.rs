//! What makes a class of an item: the arguments of `#[pyclass]`, and the block of its methods.

use fastrand::Rng;

use super::keys::{Keys, Place};
use super::{Flaw, Source, one_in, pick};

/// `gc = …` of `#[pyclass(…)]`, with a mistake.
const WRONG_GC: &[&str] = &[
    "gc = true",
    "gc",
    "gc =",
    "gc = \"false\"",
    "gc = 0",
    "gc = no",
    "gc(false)",
    "gc false",
    "gc = false true",
    "gc = {}",
];

/// Of PyO3, for every class.
const THEIRS: &[&str] = &["name = \"Renamed\"", "module = \"fuzzed\"", "crate = \"pyo3\""];
/// Of PyO3, for structs.
const THEIRS_OF_STRUCTS: &[&str] = &["frozen", "weakref", "subclass", "freelist = 2"];

/// Of a field of a class that is left alone: whatever it says, it is one mistake.
const SAYS_NOTHING: &[&str] = &[
    "#[pyo3_gc(skip)]",
    "#[pyo3_gc(skip, clear = false)]",
    "#[pyo3_gc(frobnicate = 3)]",
    "#[pyo3_gc]",
    "#[pyo3(gc = false)]",
    "#[pyo3(gc)]",
    "#[cfg_attr(all(), pyo3(gc = true))]",
    "#[cfg_attr(all(), pyo3_gc(recursive))]",
];

/// Of a field of any class: a key of PyO3's where PyO3 doesn't look.
const UNREAD: &[&str] = &[
    "#[cfg_attr(all(), pyo3(get))]",
    "#[cfg_attr(any(), pyo3(get, set))]",
    "#[cfg_attr(all(), pyo3(name = \"renamed\"), doc = \"text\")]",
];

/// The arguments of `#[pyclass(…)]` and what follows from them.
#[derive(Default)]
pub(crate) struct Class {
    arguments: Source,
    /// `gc = false`
    pub(crate) is_left_alone: bool,
    /// The hooks are to be missing.
    pub(crate) lacks_hooks: bool,
    /// Some field is not for other threads.
    pub(crate) is_unsendable: bool,
}

impl Class {
    pub(crate) fn new(rng: &mut Rng, flaw: Flaw, is_struct: bool) -> Self {
        let mut class = Self::default();
        for argument in THEIRS {
            if one_in(rng, 6) {
                class.arguments.line(format!("    {argument},"));
            }
        }
        for argument in THEIRS_OF_STRUCTS {
            if is_struct && one_in(rng, 5) {
                class.arguments.line(format!("    {argument},"));
            }
        }
        match flaw {
            Flaw::Nothing | Flaw::Paths => class.is_left_alone = one_in(rng, 8),
            Flaw::Attributes => class.is_left_alone = one_in(rng, 4),
            Flaw::Types => class.lacks_hooks = one_in(rng, 3),
        }
        if class.is_left_alone {
            class.arguments.line("    gc = false,");
        }
        // A mistake in the arguments takes their effect away. After one that is right, any other is one too many.
        if flaw == Flaw::Attributes && one_in(rng, 3) {
            for _ in 0..rng.usize(1..3) {
                class.arguments.wrong(format!("    {},", pick(rng, WRONG_GC)), 1);
            }
            class.is_left_alone = false;
        }
        class
    }

    /// `#[pyclass(…)]`
    pub(crate) fn head(&mut self) -> Source {
        let mut source = Source::default();
        source.line("use pyo3_gc::{pyclass, pymethods};");
        source.line("#[pyclass(");
        source.append(std::mem::take(&mut self.arguments));
        if self.is_unsendable {
            source.line("    unsendable,");
        }
        source.line(")]");
        source
    }

    /// An attribute on a field that is a mistake in a class alone.
    pub(crate) fn wrong_attribute(&self, rng: &mut Rng) -> &'static str {
        let says_nothing = self.is_left_alone && rng.bool();
        pick(rng, if says_nothing { SAYS_NOTHING } else { UNREAD })
    }

    /// The block of methods, which a class that holds nothing may do without.
    pub(crate) fn tail(&self, rng: &mut Rng, flaw: Flaw, holds: bool) -> Source {
        let mut source = Source::default();
        if self.lacks_hooks {
            if rng.bool() {
                source.line("#[pyo3::pymethods]");
                source.line("impl Class {}");
            }
            return source;
        }
        if !holds && rng.bool() {
            return source;
        }
        let by_hand = one_in(rng, 4);
        source.line("#[pymethods(");
        if self.is_left_alone && !(by_hand && rng.bool()) {
            source.line("    gc = false,");
        } else if flaw == Flaw::Attributes && one_in(rng, 4) {
            source.wrong(format!("    {},", pick(rng, WRONG_GC)), 1);
        }
        source.line(")]");
        if flaw == Flaw::Attributes && one_in(rng, 4) {
            Keys::wrong(rng, Place::CrateOnly, &[]).write(rng, &mut source);
        } else if one_in(rng, 6) {
            source.line("#[pyo3_gc(crate = \"fuzzed::reexport::pyo3_gc\")]");
        }
        source.line("impl Class {");
        if rng.bool() {
            source.line("    fn method(&self) -> u8 { 0 }");
        }
        if one_in(rng, 4) {
            source.line("    #[staticmethod]");
            source.line("    fn function(#[allow(unused)] argument: u8) {}");
        }
        if by_hand {
            let renamed = rng.bool();
            if renamed {
                source.line("    #[pyo3(name = \"__traverse__\")]");
            }
            let name = if renamed { "show" } else { "__traverse__" };
            source.line(format!(
                "    fn {name}(&self, _visit: ::pyo3::PyVisit<'_>) -> Result<(), ::pyo3::PyTraverseError> {{"
            ));
            source.line("        Ok(())");
            source.line("    }");
            if rng.bool() {
                source.line("    fn __clear__(&self) {}");
            }
        }
        source.line("}");
        source
    }
}
