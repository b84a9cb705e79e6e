//! What somebody's first program with these crates may be: a class, and a cycle through it that is collected. With all
//! features it also asks the checks for their opinion.

use std::ffi::CStr;

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[derive(pyo3_gc::PyGcTraversable)]
struct Label {
    text: String,
    owner: Option<Py<PyAny>>,
}

#[pyclass]
struct Node {
    #[pyo3(get, set)]
    value: Option<Py<PyAny>>,
    children: Vec<Py<Node>>,
    label: Label,
}

#[pymethods]
impl Node {
    #[new]
    fn new(text: String) -> Self {
        Self { value: None, children: Vec::new(), label: Label { text, owner: None } }
    }

    fn adopt(&mut self, child: Py<Node>) {
        self.children.push(child);
    }

    fn belong_to(&mut self, owner: Py<PyAny>) {
        self.label.owner = Some(owner);
    }

    fn text(&self) -> &str {
        &self.label.text
    }
}

/// The cycle goes through each of the fields.
const CYCLE: &CStr = c"
import gc, weakref

class Plain: pass

plain = Plain()
outer, inner = Node('outer'), Node('inner')
plain.node = outer
outer.adopt(inner)
inner.value = inner
inner.belong_to(plain)
seen = weakref.ref(plain)
del plain, inner
gc.collect()
assert seen() is not None and outer.text() == 'outer', 'alive'
del outer
gc.collect()
assert seen() is None, 'collected'
";

fn main() -> PyResult<()> {
    Python::attach(|py| {
        let globals = pyo3::types::PyDict::new(py);
        globals.set_item("Node", py.get_type::<Node>())?;
        py.run(CYCLE, Some(&globals), None)?;
        #[cfg(feature = "all")]
        checks(py)?;
        println!("collected{}", if cfg!(feature = "all") { " and checked" } else { "" });
        Ok(())
    })
}

#[cfg(feature = "all")]
fn checks(py: Python<'_>) -> PyResult<()> {
    let report = pyo3_gc::testing::check_class(py, |sentinels| {
        let child = Bound::new(py, Node::new("child".into()))?;
        let label = Label { text: String::new(), owner: Some(sentinels.object("owner")?) };
        let children = vec![sentinels.register("child", child)?];
        Bound::new(py, Node { value: Some(sentinels.object("value")?), children, label })
    })?;
    report.assert_correct();
    pyo3_gc::audit::audit(py)?.assert_clean();
    Ok(())
}
