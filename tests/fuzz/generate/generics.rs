//! Generic parameters of items.

use fastrand::Rng;

use super::{one_in, pick};

/// The parameters that an item declares, and what may be said of them.
#[derive(Default)]
pub(crate) struct Generics {
    pub(crate) lifetimes: Vec<&'static str>,
    /// Types that a field may have. They are instantiated with types that implement the trait.
    pub(crate) types: Vec<&'static str>,
    /// An iterator, of whose items fields may be. It is instantiated with one that doesn't implement the trait.
    pub(crate) iterator: Option<&'static str>,
    /// A type without a size known.
    pub(crate) unsized_type: Option<&'static str>,
    pub(crate) constants: Vec<&'static str>,
    declared: Vec<String>,
    predicates: Vec<String>,
    arguments: Vec<&'static str>,
}

impl Generics {
    pub(crate) fn new(rng: &mut Rng) -> Self {
        let mut generics = Self::default();
        if one_in(rng, 3) {
            return generics;
        }
        for (lifetime, declared) in [("'a", "'a"), ("'b", "'b: 'a")] {
            if one_in(rng, 3) && (lifetime == "'a" || !generics.lifetimes.is_empty()) {
                generics.lifetimes.push(lifetime);
                generics.declare(declared, "'static");
            }
        }
        for param in ["T", "r#type"] {
            if rng.bool() {
                generics.types.push(param);
                generics.declare_type(rng, param);
            }
        }
        if one_in(rng, 4) {
            generics.iterator = Some("I");
            generics.declare("I: Iterator", "std::vec::IntoIter<u8>");
        }
        if one_in(rng, 6) {
            generics.unsized_type = Some("D");
            generics.declare("D: ?Sized", "str");
        }
        if one_in(rng, 4) {
            generics.constants.push("N");
            generics.declare("const N: usize", "3");
        }
        generics.declare_defaults(rng);
        generics.add_predicates(rng);
        generics
    }

    fn declare(&mut self, declared: impl Into<String>, argument: &'static str) {
        self.declared.push(declared.into());
        self.arguments.push(argument);
    }

    fn declare_type(&mut self, rng: &mut Rng, param: &str) {
        let bound = pick(
            rng,
            &["", "", ": Clone", ": Clone + Send", ": 'static", ": ::pyo3_gc::PyGcTraversable", ":"],
        );
        self.declare(format!("{param}{bound}"), "u8");
    }

    /// Those with defaults stand last.
    fn declare_defaults(&mut self, rng: &mut Rng) {
        if one_in(rng, 5) {
            self.types.push("Z");
            self.declare("Z = Option<Py<PyAny>>", "u16");
        }
        if one_in(rng, 6) {
            self.constants.push("M");
            self.declare("const M: usize = { 1 + 1 }", "{ 2 * 2 }");
        }
    }

    fn add_predicates(&mut self, rng: &mut Rng) {
        let all = [
            (!self.types.contains(&"T"), "T: Default"),
            (!self.types.contains(&"T"), "for<'x> &'x T: Sized"),
            (!self.types.contains(&"T"), "Vec<T>: Clone"),
            (self.iterator.is_none(), "I::Item: Copy"),
            (!self.constants.contains(&"N"), "[u8; N]: Sized"),
            (self.lifetimes.is_empty(), "'a: 'a"),
        ];
        for (missing, predicate) in all {
            if !missing && one_in(rng, 8) {
                self.predicates.push(predicate.into());
            }
        }
    }

    /// `<'a, T: Clone>`
    pub(crate) fn declared(&self) -> String {
        list(&self.declared)
    }

    /// `where T: Default`
    pub(crate) fn where_clause(&self, rng: &mut Rng) -> String {
        match self.predicates.as_slice() {
            [] => pick(rng, &["", "", "", " where"]).into(),
            predicates => {
                format!(" where {}{}", predicates.join(", "), if rng.bool() { "," } else { "" })
            }
        }
    }

    /// `<'a, T>`, as the item names itself.
    pub(crate) fn named(&self) -> String {
        let names: Vec<_> =
            self.declared.iter().map(|param| param.trim_start_matches("const ")).map(name).collect();
        list(&names)
    }

    /// `<'static, u8>`
    pub(crate) fn arguments(&self) -> String {
        list(&self.arguments)
    }

    /// Everything that has to be used, in a type that owns nothing.
    pub(crate) fn marker(&self) -> Option<String> {
        let lifetimes = self.lifetimes.iter().map(|lifetime| format!("&{lifetime} ()"));
        let types = self.types.iter().chain(&self.iterator).chain(&self.unsized_type);
        let used: Vec<_> = lifetimes.chain(types.map(|param| format!("*const {param}"))).collect();
        (!used.is_empty()).then(|| format!("PhantomData<({},)>", used.join(", ")))
    }

    /// For `bound = "…"`: enough for every type that a field may have.
    pub(crate) fn bound(&self) -> String {
        let types = self.types.iter().map(|param| format!("{param}: ::pyo3_gc::PyGcTraversable + 'static"));
        let items = self.iterator.iter();
        let items = items.map(|param| format!("{param}: 'static, {param}::Item: ::pyo3_gc::PyGcTraversable"));
        let dynamic =
            self.unsized_type.iter().map(|param| format!("{param}: ::pyo3_gc::PyGcTraversable + 'static"));
        types.chain(items).chain(dynamic).collect::<Vec<_>>().join(", ")
    }
}

fn name(param: &str) -> &str {
    param.split([':', ' ']).next().unwrap_or(param)
}

fn list<S: AsRef<str>>(parts: &[S]) -> String {
    let parts: Vec<_> = parts.iter().map(AsRef::as_ref).collect();
    if parts.is_empty() { String::new() } else { format!("<{}>", parts.join(", ")) }
}
