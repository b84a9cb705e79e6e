//! Keys in the attributes of items, variants and fields, right and wrong, and a model of what is wrong with them.
//!
//! The model is written from the table of attributes in the documentation, not from the macros' code.

use fastrand::Rng;

use super::spellings::{Key, NONE_OF_OURS, PYO3, PYO3_GC, Spelling};
use super::{Source, one_in, pick};
use Key::{
    Bound, Clear, ClearDefault, ClearTrue, Crate, Foreign, GcFalse, GcTrue, Hidden, Recursive, Skip, Unknown,
    With,
};

/// Where keys stand.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Place {
    Container,
    /// Where only the path of the runtime crate belongs: the block of methods, and a class that is left alone.
    CrateOnly,
    Variant,
    Field,
}

/// What the keys of a field say, where they are right.
#[derive(Clone, Copy, Default, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key")]
pub(crate) struct Effect {
    /// By which key.
    pub(crate) excluded: Option<usize>,
    pub(crate) hidden: bool,
    pub(crate) with: bool,
    pub(crate) recursive: bool,
    /// By its default.
    pub(crate) replaced: bool,
}

/// A key in its attribute.
struct Entry {
    attribute: &'static str,
    key: Key,
    text: String,
    is_right: bool,
}

/// The attributes of an item, a variant or a field.
pub(crate) struct Keys {
    entries: Vec<Entry>,
    /// Of each entry.
    mistakes: Vec<usize>,
    /// Attributes that have no keys, each one mistake.
    bare: Vec<&'static str>,
    /// Whether those that can be are in `cfg_attr`.
    is_conditional: bool,
    pub(crate) effect: Effect,
}

impl Keys {
    pub(crate) fn none() -> Self {
        Self::of(Vec::new(), Place::Field)
    }

    /// Without a mistake. `theirs` are PyO3's, of which there may be some.
    pub(crate) fn right(rng: &mut Rng, place: Place, theirs: &[&'static str]) -> Self {
        loop {
            let entries = entries(rng, theirs, false);
            let mut keys = Self::of(entries, place);
            if keys.mistakes() == 0 {
                keys.is_conditional = one_in(rng, 6);
                return keys;
            }
        }
    }

    /// Probably with some mistakes.
    pub(crate) fn wrong(rng: &mut Rng, place: Place, theirs: &[&'static str]) -> Self {
        let mut entries = if place == Place::Field && one_in(rng, 3) {
            contradictions(rng)
        } else {
            entries(rng, theirs, true)
        };
        if place == Place::Container {
            // These are right, and then contradict what the fields say.
            entries.retain(|entry| !entry.is_right || !matches!(entry.key, Clear | ClearDefault | Recursive));
        }
        if place == Place::CrateOnly {
            // The others are PyO3's to report, or those of a whole attribute.
            entries.retain(|entry| entry.attribute == "pyo3_gc");
        }
        let mut keys = Self::of(entries, place);
        keys.is_conditional = place != Place::CrateOnly && one_in(rng, 6);
        if one_in(rng, 6) {
            keys.bare.push(pick(rng, &["#[pyo3_gc]", "#[pyo3_gc = \"skip\"]", "#[pyo3_gc = 3]"]));
        }
        keys
    }

    /// A path that leads nowhere.
    pub(crate) fn unresolved(rng: &mut Rng, place: Place) -> Self {
        let (key, path) = match place {
            Place::Field => {
                (With, pick(rng, &["with = Nowhere", "with = fuzzed::Nowhere", "with = ::Nowhere"]))
            }
            _ => (
                Crate,
                pick(rng, &["crate = \"nowhere\"", "crate = \"fuzzed::nowhere\"", "crate = \"::nowhere\""]),
            ),
        };
        let entry = Entry { attribute: "pyo3_gc", key, text: path.into(), is_right: true };
        let mut keys = Self::of(vec![entry], place);
        keys.mistakes[0] = 1;
        keys
    }

    /// Those of an item whose fields need some of these predicates.
    pub(crate) fn container(rng: &mut Rng, predicates: &str) -> Self {
        let entry = |key, text| Entry { attribute: "pyo3_gc", key, text, is_right: true };
        let mut entries = Vec::new();
        if rng.bool() {
            entries.push(entry(Bound, format!("bound = \"{predicates}\"")));
        }
        if rng.bool() {
            let path = pick(rng, &["pyo3_gc", "::pyo3_gc", "fuzzed::reexport::pyo3_gc"]);
            entries.push(entry(Crate, format!("crate = \"{path}\"")));
        }
        Self::of(entries, Place::Container)
    }

    fn of(entries: Vec<Entry>, place: Place) -> Self {
        let (mistakes, effect) = judge(&entries, place);
        Self { entries, mistakes, bare: Vec::new(), is_conditional: false, effect }
    }

    pub(crate) fn mistakes(&self) -> usize {
        self.mistakes.iter().sum::<usize>() + self.bare.len()
    }

    /// Whether there are keys of PyO3's among them.
    pub(crate) fn has_theirs(&self) -> bool {
        self.entries.iter().any(|entry| entry.key == Foreign)
    }

    /// Makes an exclusion of these keys one that isn't needed.
    pub(crate) fn exclusion_is_mistaken(&mut self) {
        self.mistakes[self.effect.excluded.expect("something excludes the field")] += 1;
    }

    /// The attributes, with each key on a line of its own. Neighbours may share an attribute.
    pub(crate) fn write(&self, rng: &mut Rng, source: &mut Source) {
        for bare in &self.bare {
            source.wrong(*bare, 1);
        }
        let mut rest = self.entries.iter().zip(&self.mistakes).peekable();
        while let Some((first, mistakes)) = rest.next() {
            // PyO3's macros don't look into `cfg_attr`.
            let conditional = |entry: &Entry| self.is_conditional && entry.key != Foreign;
            let (open, close) = if conditional(first) { ("cfg_attr(all(), ", "))]") } else { ("", ")]") };
            source.line(format!("#[{open}{}(", first.attribute));
            source.wrong(format!("    {},", first.text), *mistakes);
            while let Some((entry, mistakes)) = rest.next_if(|(entry, _)| {
                entry.attribute == first.attribute && conditional(entry) == conditional(first) && rng.bool()
            }) {
                source.wrong(format!("    {},", entry.text), *mistakes);
            }
            source.line(close);
        }
    }
}

fn entries(rng: &mut Rng, theirs: &[&'static str], wrong: bool) -> Vec<Entry> {
    let count = rng.usize(..5);
    let mut entries: Vec<Entry> = Vec::new();
    for _ in 0..count {
        let entry = entry(rng, theirs, wrong);
        if entry.key != Foreign || entries.iter().all(|known| known.text != entry.text) {
            entries.push(entry);
        }
    }
    entries
}

/// Keys of fields that are each right by itself.
fn contradictions(rng: &mut Rng) -> Vec<Entry> {
    let all = PYO3.iter().map(|spelling| ("pyo3", spelling));
    let all = all.chain(PYO3_GC.iter().map(|spelling| ("pyo3_gc", spelling)));
    let mut right: Vec<_> = all
        .filter(|(_, (key, _, is_right))| *is_right && !matches!(key, Bound | Crate | ClearDefault))
        .collect();
    rng.shuffle(&mut right);
    let entry = |(attribute, (key, text, is_right)): (_, &Spelling)| Entry {
        attribute,
        key: *key,
        text: (*text).into(),
        is_right: *is_right,
    };
    right.into_iter().take(rng.usize(2..5)).map(entry).collect()
}

fn entry(rng: &mut Rng, theirs: &[&'static str], wrong: bool) -> Entry {
    if !theirs.is_empty() && one_in(rng, 4) {
        return Entry { attribute: "pyo3", key: Foreign, text: pick(rng, theirs).into(), is_right: true };
    }
    if wrong && one_in(rng, 4) {
        let text = pick(rng, NONE_OF_OURS).into();
        return Entry { attribute: "pyo3_gc", key: Unknown, text, is_right: false };
    }
    // Those that are right contradict each other.
    let wrong = wrong && rng.bool();
    let (attribute, spellings) = if one_in(rng, 3) { ("pyo3", PYO3) } else { ("pyo3_gc", PYO3_GC) };
    loop {
        let (key, text, is_right) = spellings[rng.usize(..spellings.len())];
        if is_right != wrong {
            return Entry { attribute, key, text: text.into(), is_right };
        }
    }
}

/// How many mistakes each entry is, and what the others say.
fn judge(entries: &[Entry], place: Place) -> (Vec<usize>, Effect) {
    let mut mistakes = vec![0; entries.len()];
    // Those that say something: right, in the right place, and for the first time.
    let mut said: Vec<(Key, usize)> = Vec::new();
    let is_said = |said: &[(Key, usize)], key: Key| said.iter().find(|(known, _)| *known == key).copied();
    for (position, entry) in entries.iter().enumerate() {
        let belongs_here = match entry.key {
            Foreign => continue,
            Unknown => false,
            Crate => place == Place::Container || place == Place::CrateOnly,
            Bound | ClearDefault => place == Place::Container,
            Clear | Recursive => place == Place::Container || place == Place::Field,
            GcTrue | GcFalse | Skip | Hidden | ClearTrue | With => place == Place::Field,
        };
        let is_repeated = match entry.key {
            GcTrue | GcFalse => is_said(&said, GcTrue).or(is_said(&said, GcFalse)),
            Clear | ClearTrue | ClearDefault => {
                [Clear, ClearTrue, ClearDefault].into_iter().find_map(|key| is_said(&said, key))
            }
            key => is_said(&said, key),
        }
        .is_some();
        if !belongs_here || is_repeated || !entry.is_right {
            mistakes[position] += 1;
        } else {
            said.push((entry.key, position));
        }
    }

    // Contradictions: a field that is excluded or hidden takes no other key, save that what owns nothing may be replaced.
    let find = |key| is_said(&said, key).map(|(_, position)| position);
    let excluded = find(Skip).or(find(GcFalse));
    if let (Some(skip), Some(_)) = (find(Skip), find(GcTrue).or(find(GcFalse))) {
        mistakes[skip] += 1;
    }
    if let (Some(hidden), Some(_)) = (find(Hidden), excluded.or(find(GcTrue))) {
        mistakes[hidden] += 1;
    }
    let superfluous = match (excluded, find(Hidden)) {
        (_, Some(_)) => vec![find(Clear), find(ClearTrue), find(Recursive), find(With)],
        (Some(_), None) => vec![find(Clear), find(Recursive), find(With)],
        (None, None) => Vec::new(),
    };
    for position in superfluous.into_iter().flatten() {
        mistakes[position] += 1;
    }

    let effect = Effect {
        excluded,
        hidden: find(Hidden).is_some(),
        with: find(With).is_some(),
        recursive: find(Recursive).is_some(),
        replaced: find(ClearTrue).is_some(),
    };
    (mistakes, effect)
}
