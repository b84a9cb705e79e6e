//! What is wrong with hooks by hand.

use super::support::Project;

const HEAD: &str = "#![allow(dead_code)]\nuse pyo3::prelude::*;\nuse pyo3::{PyTraverseError, PyVisit};\n";

/// A class with two fields, and what stands in its `__traverse__` and `__clear__`.
fn hooks(traverse: &str, clear: &str) -> Vec<String> {
    let clear =
        if clear.is_empty() { String::new() } else { format!("fn __clear__(&mut self) {{ {clear} }}") };
    let lib = format!(
        "{HEAD}#[pyclass]\nstruct Class {{ a: Option<Py<PyAny>>, b: std::sync::Mutex<Vec<Py<PyAny>>>, len: usize }}\n\
         #[pymethods]\nimpl Class {{\n fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {{ {traverse} }}\n {clear}\n}}\n\
         impl Class {{ fn all(&self) -> std::sync::MutexGuard<'_, Vec<Py<PyAny>>> {{ self.b.lock().unwrap() }}\n\
         fn visit_a(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {{ visit.call(&self.a) }} }}\n"
    );
    let (status, kinds) = Project::new(&lib).check().class("Class");
    assert_eq!(status, "hooks-by-hand");
    kinds
}

const CLEAR: &str = "self.a = None; self.b.get_mut().unwrap().clear();";

#[test]
fn complete_hooks_are_clean() {
    let traverse = "visit.call(&self.a)?; if let Ok(b) = self.b.try_lock() { for o in b.iter() { visit.call(o)?; } } Ok(())";
    assert_eq!(hooks(traverse, CLEAR), Vec::<String>::new());
    let helper = "self.visit_a(&visit)?; if let Ok(b) = self.b.try_lock() { for o in b.iter() { visit.call(o)?; } } Ok(())";
    assert_eq!(hooks(helper, CLEAR), Vec::<String>::new());
    let pattern = "let Self { a, b, .. } = self; visit.call(a)?; for o in b.try_lock().iter().flat_map(|b| b.iter()) { visit.call(o)?; } Ok(())";
    assert_eq!(hooks(pattern, CLEAR), Vec::<String>::new());
}

#[test]
fn forgotten_fields_are_named() {
    assert_eq!(hooks("visit.call(&self.a)", CLEAR), ["misses-fields"]);
    assert_eq!(hooks("let Self { a, b: _, .. } = self; visit.call(a)", CLEAR), ["misses-fields"]);
    let project = Project::new(&format!(
        "{HEAD}#[pyclass] struct Class {{ a: Py<PyAny>, b: Vec<Py<PyAny>> }} #[pymethods] impl Class {{ \
         fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {{ visit.call(&self.a) }} fn __clear__(&mut self) {{}} }}"
    ));
    assert_eq!(project.check().messages(), "`__traverse__` doesn't visit `b`\n");
}

#[test]
fn locks_that_are_waited_for_are_found_also_in_helpers() {
    let here = "visit.call(&self.a)?; for o in self.b.lock().unwrap().iter() { visit.call(o)?; } Ok(())";
    assert_eq!(hooks(here, CLEAR), ["waits"]);
    let helper = "visit.call(&self.a)?; for o in self.all().iter() { visit.call(o)?; } Ok(())";
    assert_eq!(hooks(helper, CLEAR), ["waits"]);
    let traverse = "visit.call(&self.a)?; let _ = &self.b; Ok(())";
    assert_eq!(hooks(traverse, "self.a = None; self.b.lock().unwrap().clear();"), ["waits"]);
}

#[test]
fn a_class_that_never_clears_is_found_unless_it_is_frozen() {
    assert_eq!(hooks("visit.call(&self.a)?; let _ = &self.b; Ok(())", ""), ["never-clears"]);
    let project = Project::new(&format!(
        "{HEAD}#[pyclass(frozen)] struct Class {{ a: Py<PyAny> }} #[pymethods] impl Class {{ \
         fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {{ visit.call(&self.a) }} }}"
    ));
    assert_eq!(project.check().class("Class").1, Vec::<String>::new());
}

#[test]
fn hooks_outside_of_pymethods_never_run() {
    let project = Project::new(&format!(
        "{HEAD}#[pyclass] struct Class(Py<PyAny>);\n#[pymethods] impl Class {{}}\nimpl Class {{ \
         fn __traverse__(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {{ visit.call(&self.0) }} fn __clear__(&mut self) {{}} }}"
    ));
    assert_eq!(
        project.check().class("Class"),
        ("no-hooks".to_owned(), vec!["never-runs".to_owned(), "no-hooks".to_owned()])
    );
}

#[test]
fn hooks_under_another_name_count() {
    let project = Project::new(&format!(
        "{HEAD}#[pyclass] struct Class(Py<PyAny>);\n#[pymethods] impl Class {{ #[pyo3(name = \"__traverse__\")]\n\
         fn gc(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {{ visit.call(&self.0) }}\nfn __clear__(&mut self) {{}} }}"
    ));
    assert_eq!(project.check().class("Class"), ("hooks-by-hand".to_owned(), vec![]));
}

#[test]
fn an_arc_that_several_classes_visit_is_found() {
    let class = |name: &str| {
        format!(
            "#[pyclass] struct {name} {{ shared: Option<Arc<Shared>> }} #[pymethods] impl {name} {{ \
             fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {{ \
             if let Some(s) = &self.shared {{ visit.call(&s.object)?; }} Ok(()) }} fn __clear__(&mut self) {{ self.shared = None; }} }}\n"
        )
    };
    let head = format!("{HEAD}use std::sync::Arc;\nstruct Shared {{ object: Py<PyAny> }}\n");
    let both = Project::new(&(head.clone() + &class("One") + &class("Two"))).check();
    assert_eq!(both.class("One").1, ["shared-arc"]);
    assert_eq!(both.class("Two").1, ["shared-arc"]);
    assert!(
        both.messages().contains("`One` and `Two` visit the contents of an `Arc<Shared>`"),
        "{}",
        both.messages()
    );
    assert_eq!(Project::new(&(head + &class("One"))).check().class("One").1, Vec::<String>::new());
}

#[test]
fn hooks_of_an_enum_are_read_by_variant() {
    let lib = |arms: &str| {
        format!(
            "{HEAD}#[pyclass] enum Class {{ A {{ x: Py<PyAny>, n: u8 }}, B {{ y: Py<PyAny> }} }}\n#[pymethods] impl Class {{ \
             fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {{ match self {{ {arms} }} }} fn __clear__(&mut self) {{}} }}"
        )
    };
    let whole = lib("Self::A { x, .. } => visit.call(x), Class::B { y } => visit.call(y)");
    assert_eq!(Project::new(&whole).check().class("Class").1, Vec::<String>::new());
    let report = Project::new(&lib("Self::A { x, .. } => visit.call(x), Class::B { .. } => Ok(())")).check();
    assert_eq!(report.messages(), "`__traverse__` doesn't visit `B.y`\n");
}

/// A class with one field of a type of the crate, whose `__traverse__` has this body.
fn inside(declarations: &str, field: &str, traverse: &str) -> String {
    let lib = format!(
        "{HEAD}{declarations}\n#[pyclass] struct Class {{ inner: {field} }}\n#[pymethods] impl Class {{ \
         fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {{ {traverse} }} fn __clear__(&mut self) {{}} }}"
    );
    Project::new(&lib).check().messages()
}

const PAIR: &str = "struct Pair { left: Py<PyAny>, right: Option<Py<PyAny>>, count: usize } \
                    impl Pair { fn gc(&self, visitor: &PyVisit<'_>) -> Result<(), PyTraverseError> { visitor.call(&self.left)?; visitor.call(&self.right) } \
                    fn left(&self) -> &Py<PyAny> { &self.left } }";

#[test]
fn owners_inside_of_a_field_that_is_reached_are_named() {
    assert_eq!(
        inside(PAIR, "Vec<Pair>", "for pair in &self.inner { visit.call(pair.left())?; } Ok(())"),
        "`__traverse__` doesn't visit `inner.right`\n"
    );
    let generic = "trait Policy { type Shared; } struct Lru; impl Policy for Lru { type Shared = Shared; } struct Shared { hook: Option<Py<PyAny>> } \
                   struct Wrapped<P: Policy> { shared: P::Shared, policy: std::sync::Mutex<Vec<Py<PyAny>>> }";
    assert_eq!(
        inside(
            generic,
            "Wrapped<Lru>",
            "for item in self.inner.policy.try_lock().iter().flat_map(|items| items.iter()) { visit.call(item)?; } Ok(())"
        ),
        "`__traverse__` doesn't visit `inner.shared.hook`\n"
    );
    // What a helper clones or builds isn't visited.
    let cloned = "struct Shared { hook: Option<Py<PyAny>> } impl Shared { fn clone_ref(&self) -> Shared { let hook = &self.hook; Shared { hook: None } } } \
                  struct Pair { shared: Shared, item: Py<PyAny> } impl Pair { fn get(&self) -> &Py<PyAny> { let hook = 1; drop(self.shared.clone_ref()); &self.item } }";
    assert_eq!(
        inside(cloned, "Pair", "visit.call(self.inner.get())"),
        "`__traverse__` doesn't visit `inner.shared.hook`\n"
    );
    let shape = "enum Shape { Circle(Py<PyAny>), Square { side: Py<PyAny> }, Empty }";
    assert_eq!(
        inside(shape, "Shape", "match &self.inner { Shape::Circle(of) => visit.call(of), _ => Ok(()) }"),
        "`__traverse__` doesn't visit `inner.Square.side`\n"
    );
}

#[test]
fn owners_that_helpers_visit_are_no_findings() {
    for traverse in [
        "for pair in &self.inner { pair.gc(&visit)?; } Ok(())",
        "for Pair { left, right, .. } in &self.inner { visit.call(left)?; visit.call(right)?; } Ok(())",
        "self.inner.iter().try_for_each(|pair| { visit.call(&pair.left)?; visit.call(&pair.right) })",
    ] {
        assert_eq!(inside(PAIR, "Vec<Pair>", traverse), "", "{traverse}");
    }
    let tree = "struct Tree { kids: Vec<Tree>, object: Py<PyAny>, up: std::sync::Weak<Tree>, borrowed: &'static Py<PyAny> } \
                impl Tree { fn gc(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> { for kid in &self.kids { kid.gc(visit)?; } visit.call(&self.object) } }";
    assert_eq!(inside(tree, "Tree", "self.inner.gc(&visit)"), "");
    assert_eq!(
        inside(
            "struct New(Py<PyAny>); impl std::ops::Deref for New { type Target = Py<PyAny>; fn deref(&self) -> &Py<PyAny> { &self.0 } }",
            "New",
            "visit.call(&*self.inner)"
        ),
        ""
    );
}
