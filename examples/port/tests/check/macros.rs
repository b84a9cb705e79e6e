//! Classes that a crate's own macros make.

use super::support::Project;

#[test]
fn classes_of_nested_and_repeating_macros_are_seen() {
    let project = Project::new(
        "use pyo3::prelude::*;\n\
         macro_rules! class {\n\
             ($(#[$meta:meta])* [$($argument:tt)*] $name:ident $($rest:tt)*) => { #[pyclass($($argument)*)] $(#[$meta])* pub struct $name $($rest)* };\n\
         }\n\
         macro_rules! classes {\n\
             ($($name:ident => $ty:ty),+ $(,)?) => { $( class! { [frozen] $name { value: $ty, } } )+ };\n\
         }\n\
         classes!(Object => Py<PyAny>, Number => u64,);\n\
         class! { #[derive(Debug)] [name = \"Other\"] Tuple(Option<Py<PyAny>>); }\n",
    );
    let report = project.check();
    assert_eq!(report.class("Object"), ("no-hooks".to_owned(), vec!["no-hooks".to_owned()]));
    assert_eq!(report.class("Number").0, "needs-none");
    assert_eq!(report.class("Tuple").0, "no-hooks");
    assert_eq!(report.unseen(), Vec::<String>::new());
}

#[test]
fn each_file_uses_its_own_macro_of_a_name() {
    let project = Project::new("mod a; mod b;");
    let file = |name: &str, ty: &str| {
        format!(
            "use pyo3::prelude::*; macro_rules! make {{ () => {{ #[pyclass] struct {name}({ty}); }} }} make!();"
        )
    };
    project.write("src/a.rs", &file("A", "u8"));
    project.write("src/b.rs", &file("B", "Py<PyAny>"));
    let report = project.check();
    assert_eq!(report.class("A").0, "needs-none");
    assert_eq!(report.class("B").0, "no-hooks");
}

#[test]
fn conditional_items_of_cfg_if_are_seen() {
    let project = Project::new(
        "use pyo3::prelude::*; cfg_if::cfg_if! { if #[cfg(unix)] { #[pyclass] struct A(u8); } else { #[pyclass] struct B(u8); } }",
    );
    assert_eq!(project.check().names(), ["A", "B"]);
}

#[test]
fn what_another_crates_macro_makes_is_said_not_to_be_seen() {
    let report = Project::new("use pyo3::prelude::*; foreign::make_class!(A); pyo3::create_exception!(m, E, pyo3::exceptions::PyException);").check();
    assert_eq!(report.unseen(), ["what `make_class!` makes"]);
    assert_eq!(report.status, 0);
}
