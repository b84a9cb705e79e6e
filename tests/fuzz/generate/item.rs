//! Structs, enums and unions, with one of our macros on them; what is in them is in `fields`.

use fastrand::Rng;

use super::class::Class;
use super::generics::Generics;
use super::keys::{Keys, Place};
use super::spellings::THEIRS;
use super::{Flaw, Source, one_in, pick};

/// The macro that the item is for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Macro {
    Derive,
    Traversable,
    Class,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Shape {
    Named,
    Tuple,
    Unit,
    Enum,
    SimpleEnum,
    EmptyEnum,
    Union,
}

/// Names that the expansion may also use, or that are keywords.
const NAMES: &[&str] =
    &["Thing", "r#move", "Graveyard", "PyVisit", "Ok", "PyGcTraversable", "Formatter", "T0"];

/// What an item's mistakes have in common, if anything.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Case {
    Any,
    /// It is packed.
    Packed,
    /// The path of the runtime crate leads nowhere. No other path is asked for then.
    CratePath,
    /// Types lack the trait where only the borrow checker sees it, which comes last.
    Late,
}

/// An item on its way into source.
pub(super) struct Builder<'a> {
    pub(super) rng: &'a mut Rng,
    pub(super) flaw: Flaw,
    pub(super) item: Macro,
    pub(super) shape: Shape,
    pub(super) class: Class,
    pub(super) name: &'static str,
    pub(super) generics: Generics,
    pub(super) case: Case,
    /// Whether the last field is of a type without a size known.
    pub(super) is_unsized: bool,
    /// Whether the item may own a Python object, by its fields.
    pub(super) holds: bool,
}

/// An item with the flaw.
pub(crate) fn item(rng: &mut Rng, flaw: Flaw) -> Source {
    loop {
        let source = Builder::new(rng, flaw).build();
        if (source.mistakes() > 0) == (flaw != Flaw::Nothing) {
            return source;
        }
    }
}

impl<'a> Builder<'a> {
    fn new(rng: &'a mut Rng, flaw: Flaw) -> Self {
        let item = pick(rng, &[&Macro::Derive, &Macro::Derive, &Macro::Traversable, &Macro::Class]);
        let is_class = *item == Macro::Class;
        let shape = match rng.u8(..16) {
            0..5 => Shape::Named,
            5..8 => Shape::Tuple,
            8 => Shape::Unit,
            9..14 => Shape::Enum,
            14 if is_class => Shape::SimpleEnum,
            14 => Shape::EmptyEnum,
            _ if !is_class && flaw == Flaw::Attributes => Shape::Union,
            _ => Shape::Named,
        };
        let has_fields = matches!(shape, Shape::Named | Shape::Tuple | Shape::Enum);
        let generics = if is_class || !has_fields { Generics::default() } else { Generics::new(rng) };
        let is_struct = matches!(shape, Shape::Named | Shape::Tuple | Shape::Unit);
        let class = if is_class { Class::new(rng, flaw, is_struct) } else { Class::default() };
        let name = if is_class { "Class" } else { pick(rng, NAMES) };
        let case = match flaw {
            Flaw::Attributes if is_struct && has_fields && !is_class && one_in(rng, 12) => Case::Packed,
            Flaw::Paths if *item == Macro::Derive && one_in(rng, 3) => Case::CratePath,
            Flaw::Types if one_in(rng, 8) => Case::Late,
            _ => Case::Any,
        };
        let is_unsized = is_struct && case != Case::Packed && generics.unsized_type.is_some() && rng.bool();
        Self { rng, flaw, item: *item, shape, class, name, generics, case, is_unsized, holds: false }
    }

    fn build(mut self) -> Source {
        let body = self.body();
        let mut source = self.head();
        source.append(body);
        if self.item == Macro::Class {
            source.append(self.class.tail(self.rng, self.flaw, self.holds));
        }
        if self.flaw == Flaw::Nothing && !self.class.is_left_alone {
            let item = format!("{}{}", self.name, self.generics.arguments());
            let constant = format!("<{item} as ::pyo3_gc::PyGcTraversable>::MAY_CONTAIN_CYCLES");
            source.line(format!("const _: () = assert!({constant} == {});", self.holds));
        }
        source
    }

    /// What stands above the braces, but for the line with the item's name.
    fn head(&mut self) -> Source {
        let mut source = match self.item {
            Macro::Class => self.class.head(),
            Macro::Derive | Macro::Traversable => Source::default(),
        };
        match self.item {
            Macro::Class => {}
            Macro::Derive => source.line("#[derive(PyGcTraversable)]"),
            Macro::Traversable if self.flaw == Flaw::Attributes && one_in(self.rng, 4) => {
                let arguments = pick(self.rng, &["gc = false", "frozen", "3", "bound = \"\", skip"]);
                source.wrong(format!("#[traversable({arguments})]"), 1);
            }
            Macro::Traversable => source.line(*pick(self.rng, &[&"#[traversable]", &"#[traversable()]"])),
        }
        if one_in(self.rng, 4) {
            source
                .line(*pick(self.rng, &[&"/// Says `#[pyo3_gc(skip)]`.", &"#[must_use]", &"#[cfg(all())]"]));
        }
        self.layout(&mut source);
        let keys = match (self.item, self.flaw) {
            (Macro::Class, Flaw::Attributes) if self.class.is_left_alone => {
                Keys::wrong(self.rng, Place::CrateOnly, &[])
            }
            _ if self.class.is_left_alone => Keys::none(),
            (Macro::Class, Flaw::Attributes) => Keys::wrong(self.rng, Place::Container, &[]),
            (_, Flaw::Attributes) => Keys::wrong(self.rng, Place::Container, THEIRS),
            (Macro::Derive, Flaw::Paths) if self.case == Case::CratePath => {
                Keys::unresolved(self.rng, Place::Container)
            }
            _ if one_in(self.rng, 4) => Keys::container(self.rng, &self.generics.bound()),
            _ => Keys::none(),
        };
        keys.write(self.rng, &mut source);
        source
    }

    /// `#[repr(…)]`
    fn layout(&mut self, source: &mut Source) {
        let is_struct = matches!(self.shape, Shape::Named | Shape::Tuple);
        if self.case == Case::Packed {
            let packed = pick(self.rng, &["packed", "C, packed", "packed(2), C", "packed(1)"]);
            source.wrong(format!("#[repr({packed})]"), 1);
        } else if self.item == Macro::Class || !one_in(self.rng, 6) {
        } else if self.shape == Shape::Enum {
            source.line(format!("#[repr({})]", pick(self.rng, &["u8", "C", "isize", "align(16)"])));
        } else if is_struct {
            source.line(format!("#[repr({})]", pick(self.rng, &["C", "align(16)", "Rust", "C, align(8)"])));
        }
    }

    /// The line with the item's name, and all that follows it.
    fn body(&mut self) -> Source {
        let mut source = Source::default();
        let visibility = pick(self.rng, &["", "pub ", "pub(crate) ", "pub(super) "]);
        let (declared, bounds) = (self.generics.declared(), self.generics.where_clause(self.rng));
        let lacks_hooks = self.class.lacks_hooks;
        let mut named = |keyword: &str, rest: String, mistakes: usize| {
            source.wrong(format!("{visibility}{keyword} {}{declared}{rest}", self.name), mistakes);
        };
        match self.shape {
            Shape::Union => {
                named("union", " {".into(), 1);
                source.line("    one: u8,");
                source.line("    other: ManuallyDrop<Foreign>,");
                source.line("}");
            }
            Shape::Unit => named("struct", ";".into(), 0),
            Shape::EmptyEnum => named("enum", " {}".into(), 0),
            Shape::SimpleEnum => named("enum", " { One, r#Other = 3 }".into(), 0),
            Shape::Named | Shape::Tuple => {
                let is_named = self.shape == Shape::Named;
                let fields = self.fields(is_named, true);
                let mistakes = usize::from(lacks_hooks && self.holds);
                let rest = if is_named { format!("{bounds} {{") } else { "(".into() };
                source.wrong(format!("{visibility}struct {}{declared}{rest}", self.name), mistakes);
                source.append_inside(fields);
                source.line(if is_named { "}".into() } else { format!("){bounds};") });
            }
            Shape::Enum => {
                let variants = self.variants();
                let mistakes = usize::from(lacks_hooks && self.holds);
                source.wrong(format!("{visibility}enum {}{declared}{bounds} {{", self.name), mistakes);
                source.append_inside(variants);
                source.line("}");
            }
        }
        source
    }
}
