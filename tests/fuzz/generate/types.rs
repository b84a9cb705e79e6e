//! Types of fields: those that implement the trait, made by a grammar, and those that don't.

use fastrand::Rng;

use super::generics::Generics;
use super::{one_in, pick};

/// A type and what is known of it.
#[derive(Clone)]
pub(crate) struct Ty {
    pub(crate) text: String,
    /// Its `MAY_CONTAIN_CYCLES`, where parameters are leaves.
    pub(crate) holds: bool,
    /// Whether a class can have it without being `unsendable`.
    pub(crate) is_shareable: bool,
}

/// What a type may name.
pub(crate) struct Scope<'a> {
    pub(crate) generics: &'a Generics,
    /// The item's own name, with its parameters.
    pub(crate) itself: &'a str,
    /// Whether fields may name the item, which has a size then, and is not an empty enum.
    pub(crate) recursive: bool,
}

/// That own nothing, and whether threads can share them.
const LEAVES: &[(&str, bool)] = &[
    ("u8", true),
    ("String", true),
    ("bool", true),
    ("()", true),
    ("(u8)", true),
    ("f64", true),
    ("Box<str>", true),
    ("std::path::PathBuf", true),
    ("::std::time::Duration", true),
    ("std::sync::atomic::AtomicUsize", true),
    ("Plain", true),
    ("PhantomData<Foreign>", true),
    ("PhantomData<Py<PyAny>>", true),
    ("Weak<Foreign>", true),
    ("PyGcOpaque<Py<PyAny>>", true),
    ("PyGcOpaque<Foreign>", true),
    ("&'static str", true),
    ("&'static Foreign", true),
    ("fn(u8) -> Foreign", true),
    ("unsafe extern \"C\" fn(*const u8)", true),
    ("Cow<'static, str>", true),
    ("<Vec<u8> as IntoIterator>::Item", true),
    ("*const Foreign", false),
    ("NonNull<Foreign>", false),
    ("std::rc::Weak<Foreign>", false),
];

/// That own nothing either, but are passed over only where they are the whole type of a field.
const FUNCTIONS: &[&str] =
    &["fn(&str)", "(for<'x> fn(&'x Foreign) -> &'x u8)", "unsafe fn(&mut [Py<PyAny>])"];

/// That hold Python objects.
const OBJECTS: &[&str] = &[
    "Py<PyAny>",
    "Py<PyAny>",
    "Option<Py<PyAny>>",
    "Py<PyDict>",
    "::pyo3::Py<::pyo3::PyAny>",
    "Nested",
    "fuzzed::Nested",
    "PyGcErr",
    "PyGcArc<Nested>",
    "PyGcArc<Foreign>",
    "Box<dyn Shape>",
    "Arc<dyn Shape + Send + Sync>",
    "pyo3::sync::PyOnceLock<Py<PyAny>>",
    "objects!()",
];

/// Around one type, and whether threads can share what is made of what they can share.
const AROUND_ONE: &[(&str, bool)] = &[
    ("Option<@>", true),
    ("Box<@>", true),
    ("Vec<@>", true),
    ("Many<@>", true),
    ("::std::vec::Vec<@>", true),
    ("VecDeque<@>", true),
    ("LinkedList<@>", true),
    ("HashMap<String, @>", true),
    ("BTreeMap<u8, @>", true),
    ("(@,)", true),
    ("(@)", true),
    ("[@; 2]", true),
    ("[@; { 1 + 1 }]", true),
    ("Box<[@]>", true),
    ("Pin<Box<@>>", true),
    ("Mutex<@>", true),
    ("RwLock<@>", true),
    ("OnceLock<@>", true),
    ("Arc<@>", true),
    ("Pair<@>", true),
    ("fuzzed::Pair<@>", true),
    ("Result<@, u8>", true),
    ("std::ops::ControlFlow<@, @>", true),
    ("std::task::Poll<@>", true),
    ("(u8, @, Py<PyAny>)", true),
    ("Cell<@>", false),
    ("RefCell<@>", false),
    ("OnceCell<@>", false),
    ("Rc<@>", false),
];

/// That name the item itself, whether they hold objects even if it doesn't, and whether threads can share them.
const RECURSIVE: &[(&str, bool, bool)] = &[
    ("Box<@>", false, true),
    ("Option<Box<@>>", false, true),
    ("Vec<@>", false, true),
    ("Box<[@]>", false, true),
    ("HashMap<String, Vec<@>>", false, true),
    ("Mutex<Vec<(u8, @)>>", false, true),
    ("Arc<@>", false, true),
    ("Option<Rc<RefCell<@>>>", false, false),
    ("Weak<@>", false, true),
    ("PhantomData<@>", false, true),
    ("fn(@) -> u8", false, true),
    ("[Option<Box<@>>; 2]", false, true),
    ("Vec<(@, Py<PyAny>)>", true, true),
    ("Option<Pair<Box<@>>>", true, true),
    ("Many<@>", false, true),
    ("*const @", false, false),
];

/// That don't implement the trait.
const FOREIGN: &[(&str, bool)] = &[
    ("Foreign", true),
    ("Vec<Foreign>", true),
    ("Option<Foreign>", true),
    ("(u8, Foreign)", true),
    ("[Foreign; 3]", true),
    ("Mutex<Foreign>", true),
    ("HashMap<String, Vec<Foreign>>", true),
    ("Pair<Foreign>", true),
    ("Convertible", true),
    ("ForeignOver<u8>", true),
    ("ForeignOver<str>", true),
    ("PyErr", true),
    ("ManuallyDrop<Py<PyAny>>", true),
    ("Box<dyn Undeclared>", true),
    ("Box<dyn Fn(u8) -> u8 + Send + Sync>", true),
    ("Box<dyn for<'x> Fn(&'x u8) -> &'x u8 + Send + Sync>", true),
    ("std::iter::Repeat<u8>", true),
    ("Rc<Foreign>", false),
];

impl Ty {
    pub(crate) fn new(text: impl Into<String>, holds: bool, is_shareable: bool) -> Self {
        Self { text: text.into(), holds, is_shareable }
    }

    /// Functions are passed over, whatever the keys say.
    pub(crate) fn is_function(&self) -> bool {
        ["fn(", "(for<'x> fn(", "unsafe "].iter().any(|start| self.text.starts_with(start))
    }

    /// Whether it names a type of PyO3's that owns objects, and may own one.
    pub(crate) fn names_owner(&self) -> bool {
        let leaves = ["PhantomData<Py<PyAny>>", "PyGcOpaque<Py<PyAny>>"];
        let text = leaves.iter().fold(self.text.clone(), |text, leaf| text.replace(leaf, ""));
        !self.is_function() && (text.contains("Py<") || text.contains("PyErr"))
    }

    fn within(self, (outer, is_shareable): (&str, bool)) -> Self {
        Self::new(outer.replace('@', &self.text), self.holds || outer.contains("Py<"), {
            self.is_shareable && is_shareable
        })
    }
}

/// A type that implements the trait.
pub(crate) fn implementing(rng: &mut Rng, scope: &Scope<'_>) -> Ty {
    if scope.recursive && one_in(rng, 6) {
        return recursive(rng, scope);
    }
    if one_in(rng, 20) {
        return Ty::new(pick(rng, FUNCTIONS), false, true);
    }
    nested(rng, scope, 3)
}

fn nested(rng: &mut Rng, scope: &Scope<'_>, depth: usize) -> Ty {
    let generics = scope.generics;
    match rng.u8(..10) {
        0..3 if depth > 0 => nested(rng, scope, depth - 1).within(AROUND_ONE[rng.usize(..AROUND_ONE.len())]),
        3 if depth > 0 => {
            let [one, other] = [(); 2].map(|()| nested(rng, scope, depth - 1));
            let outer = pick(rng, &["(@, %)", "Result<@, %>", "HashMap<@, %>", "BTreeMap<@, %>"]);
            let text = outer.replace('@', &one.text).replace('%', &other.text);
            Ty::new(text, one.holds || other.holds, one.is_shareable && other.is_shareable)
        }
        4..7 => parameter(rng, generics)
            .unwrap_or_else(|| Ty::new(OBJECTS[rng.usize(..OBJECTS.len())], true, true)),
        7..9 => Ty::new(OBJECTS[rng.usize(..OBJECTS.len())], true, true),
        _ => {
            let (text, is_shareable) = LEAVES[rng.usize(..LEAVES.len())];
            Ty::new(text, false, is_shareable)
        }
    }
}

/// A type that names a parameter of the item.
fn parameter(rng: &mut Rng, generics: &Generics) -> Option<Ty> {
    let mut choices = Vec::new();
    for param in &generics.types {
        choices.extend(["@", "@", "PhantomData<@>", "ForeignOverPhantom", "*const @"].map(
            |text| match text {
                "ForeignOverPhantom" => Ty::new(format!("PhantomData<ForeignOver<{param}>>"), false, true),
                text => Ty::new(text.replace('@', param), false, true),
            },
        ));
        choices.push(Ty::new(format!("Py<Pair<{param}>>"), true, true));
        choices.extend(
            generics.lifetimes.iter().map(|lifetime| Ty::new(format!("&{lifetime} {param}"), false, true)),
        );
        choices.extend(
            generics.constants.iter().map(|constant| Ty::new(format!("[{param}; {constant}]"), false, true)),
        );
    }
    if let Some(param) = generics.iterator {
        choices.extend(
            [format!("{param}::Item"), format!("<{param} as Iterator>::Item")]
                .map(|text| Ty::new(text, false, true)),
        );
    }
    if let Some(param) = generics.unsized_type {
        choices.extend(
            [format!("Box<{param}>"), format!("Arc<{param}>")].map(|text| Ty::new(text, false, true)),
        );
    }
    for lifetime in &generics.lifetimes {
        choices.push(Ty::new(format!("&{lifetime} Foreign"), false, true));
        choices.push(Ty::new(format!("Cow<{lifetime}, str>"), false, true));
    }
    (!choices.is_empty()).then(|| choices.swap_remove(rng.usize(..choices.len())))
}

fn recursive(rng: &mut Rng, scope: &Scope<'_>) -> Ty {
    let itself = if rng.bool() { "Self" } else { scope.itself };
    if one_in(rng, 6) && scope.generics.lifetimes.is_empty() {
        return Ty::new(format!("Option<Py<{itself}>>"), true, true);
    }
    let (outer, holds, is_shareable) = RECURSIVE[rng.usize(..RECURSIVE.len())];
    Ty::new(outer.replace('@', itself), holds, is_shareable)
}

/// A type that doesn't implement the trait as the borrow checker sees it, which rustc asks only where it found no other
/// mistake.
pub(crate) fn not_general_enough() -> Ty {
    Ty::new("Option<fn(&str) -> u8>", false, true)
}

/// A type that doesn't implement the trait.
pub(crate) fn foreign(rng: &mut Rng, generics: &Generics) -> Ty {
    let lifetime = generics.lifetimes.last();
    match (rng.u8(..8), generics.types.last(), lifetime) {
        (0, Some(param), _) => Ty::new(format!("ForeignOver<{param}>"), false, true),
        (1, _, Some(lifetime)) => Ty::new(format!("&{lifetime} mut Foreign"), false, true),
        (2, _, Some(lifetime)) => {
            Ty::new(format!("Box<dyn Fn(&{lifetime} str) -> u8 + {lifetime}>"), false, true)
        }
        (3, Some(param), Some(lifetime)) => Ty::new(format!("&{lifetime} mut [{param}]"), false, true),
        _ => {
            let (text, is_shareable) = FOREIGN[rng.usize(..FOREIGN.len())];
            Ty::new(text, false, is_shareable)
        }
    }
}

/// A type that implements the trait, and names no parameter.
pub(crate) fn concrete(rng: &mut Rng, scope: &Scope<'_>) -> Ty {
    let generics = Generics::default();
    nested(rng, &Scope { generics: &generics, itself: scope.itself, recursive: false }, 2)
}
