//! The variants and fields of items: keys, and types that they are right or wrong for.

use super::item::{Builder, Case, Macro};
use super::keys::{Keys, Place};
use super::spellings::THEIRS;
use super::types::{Scope, Ty, concrete, foreign, implementing, not_general_enough};
use super::{Flaw, Source, one_in, pick};

/// Names that the expansion may also use, or that are keywords.
const NAMES: &[&str] =
    &["field", "r#type", "visit", "error", "graveyard", "field_0", "r#fn", "py", "r#async"];

/// For the fields of an enum that is a class: PyO3 makes getters of them.
const SHOWN: &[&str] = &["Py<PyAny>", "Option<Py<PyAny>>", "Vec<Py<PyAny>>"];

/// With a default, and whether they hold objects.
const REPLACED: &[(&str, bool)] =
    &[("u8", false), ("Vec<Plain>", false), ("HashMap<String, u8>", false), ("Option<Py<PyAny>>", true)];

impl Builder<'_> {
    pub(super) fn variants(&mut self) -> Source {
        let mut source = Source::default();
        let is_class = self.item == Macro::Class;
        if let Some(marker) = self.generics.marker() {
            source.line(format!("Marker({marker}),"));
        }
        for name in ["One", "r#Other", "visit", "Ok"].into_iter().take(self.rng.usize(1..5)) {
            if self.flaw == Flaw::Attributes && one_in(self.rng, 4) && !self.class.is_left_alone {
                let theirs = if is_class { &[] } else { THEIRS };
                Keys::wrong(self.rng, Place::Variant, theirs).write(self.rng, &mut source);
            }
            match self.rng.u8(..4) {
                0 if !is_class => source.line(format!("{name},")),
                1 if !is_class => source.line(format!("{name} {{}},")),
                0..3 => {
                    source.line(format!("{name} {{"));
                    source.append_inside(self.fields(true, false));
                    source.line("},");
                }
                _ => {
                    source.line(format!("{name}("));
                    source.append_inside(self.fields(false, false));
                    source.line("),");
                }
            }
        }
        source
    }

    pub(super) fn fields(&mut self, named: bool, in_struct: bool) -> Source {
        let mut source = Source::default();
        let name = |name: &str| if named { format!("{name}: ") } else { String::new() };
        if let Some(marker) = self.generics.marker().filter(|_| in_struct) {
            source.line(format!("{}{marker},", name("marker")));
        }
        let least = usize::from(self.item == Macro::Class && !in_struct);
        for field in NAMES.iter().take(self.rng.usize(least..5)) {
            if in_struct && one_in(self.rng, 20) {
                source.line("#[cfg(any())]");
                source.line(format!("{}Missing,", name("missing")));
                continue;
            }
            let (keys, ty, mistakes) = self.field(named && in_struct, in_struct);
            if one_in(self.rng, 8) {
                source.line(*pick(self.rng, &[&"/// `#[pyo3(gc = false)]`", &"#[allow(unused)]"]));
            }
            if self.item == Macro::Class && self.flaw == Flaw::Attributes && one_in(self.rng, 6) {
                source.wrong(self.class.wrong_attribute(self.rng), 1);
            }
            keys.write(self.rng, &mut source);
            let visibility = if in_struct { pick(self.rng, &["", "pub ", "pub(crate) "]) } else { "" };
            source.wrong(format!("{visibility}{}{},", name(field), ty.text), mistakes);
        }
        if let Some(param) = self.generics.unsized_type.filter(|_| self.is_unsized && in_struct) {
            source.line(format!("{}{param},", name("last")));
        }
        source
    }

    /// The keys and the type of a field, and how many mistakes the type is.
    fn field(&mut self, can_be_shown: bool, in_struct: bool) -> (Keys, Ty, usize) {
        let is_class = self.item == Macro::Class;
        let theirs: &[&str] = match (is_class, can_be_shown) {
            (true, true) => &["get"],
            (true, false) => &[],
            (false, _) => THEIRS,
        };
        let mut keys = match self.flaw {
            _ if self.class.is_left_alone || one_in(self.rng, 3) => Keys::none(),
            Flaw::Attributes => Keys::wrong(self.rng, Place::Field, theirs),
            Flaw::Paths if self.case != Case::CratePath && self.rng.bool() => {
                Keys::unresolved(self.rng, Place::Field)
            }
            Flaw::Nothing | Flaw::Types | Flaw::Paths => Keys::right(self.rng, Place::Field, theirs),
        };
        // PyO3's getters want more of the type.
        let is_shown = is_class && (keys.has_theirs() || !in_struct);
        let effect = keys.effect;
        let is_excluded = effect.excluded.is_some();
        // Whether the type lacks the trait, as it should.
        let mut lacks = is_excluded || (effect.with || effect.hidden) && self.rng.bool();
        let mut mistakes = 0;
        let can_be_wrong = !self.class.lacks_hooks && (self.case != Case::Late || !is_shown);
        let is_wrong = self.flaw == Flaw::Types && can_be_wrong && one_in(self.rng, 3);
        let mut is_concrete = false;
        if is_wrong && is_excluded && self.case != Case::Late {
            (lacks, is_concrete) = (false, true);
            keys.exclusion_is_mistaken();
        } else if is_wrong && !is_excluded && !effect.with && !effect.hidden && !effect.replaced {
            (lacks, mistakes) = (true, 1);
        }
        let itself = format!("{}{}", self.name, self.generics.named());
        let scope = Scope { generics: &self.generics, itself: &itself, recursive: !self.is_unsized };
        let ty = loop {
            let ty = match () {
                // Rustc's own complaint about a packed struct would be that a part of it is aligned.
                () if self.case == Case::Packed => Ty::new("Py<PyAny>", true, true),
                () if is_shown && lacks => Ty::new("Convertible", false, true),
                () if effect.replaced && lacks => Ty::new("Foreign", false, true),
                () if is_shown && (effect.replaced || is_excluded) => Ty::new("Vec<u8>", false, true),
                () if is_shown => Ty::new(pick(self.rng, SHOWN), true, true),
                () if effect.replaced => {
                    let (text, holds) = *self.rng.choice(REPLACED).expect("there are some");
                    Ty::new(text, holds, true)
                }
                () if mistakes > 0 && self.case == Case::Late => not_general_enough(),
                () if lacks => foreign(self.rng, &self.generics),
                () if is_concrete => concrete(self.rng, &scope),
                () => implementing(self.rng, &scope),
            };
            // What owns objects can't be excluded, which our macros see.
            if !is_excluded || !ty.names_owner() {
                break ty;
            }
            if self.flaw == Flaw::Attributes {
                keys.exclusion_is_mistaken();
                break ty;
            }
        };
        self.class.is_unsendable |= !ty.is_shareable;
        let is_visited = !is_excluded && !effect.hidden && (effect.with || !ty.is_function());
        self.holds |= is_visited && (effect.with || ty.holds || effect.recursive);
        (keys, ty, mistakes)
    }
}
