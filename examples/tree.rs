//! Recursive types: a document whose elements nest, and a graph whose nodes refer to each other.
//!
//! The elements of the document are plain Rust, boxed in each other to any depth, with Python callbacks in the leaves.
//! The nodes of the graph are Python objects. Neither needs a word about garbage collection but the import line and
//! the derive.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};
use pyo3_gc::{pyclass, pymethods};

/// Names itself in two ways; both are traversed and cleared.
#[derive(pyo3_gc::PyGcTraversable)]
enum Element {
    Text(String),
    Button { label: String, on_click: Py<PyAny> },
    Section { header: Option<Box<Element>>, body: Vec<Element> },
}

impl Element {
    fn count(&self) -> usize {
        match self {
            Element::Text(_) | Element::Button { .. } => 1,
            Element::Section { header, body } => {
                1 + header.as_ref().map_or(0, |header| header.count())
                    + body.iter().map(Element::count).sum::<usize>()
            }
        }
    }

    fn labels(&self) -> Vec<&str> {
        match self {
            Element::Text(_) => Vec::new(),
            Element::Button { label, .. } => vec![label],
            Element::Section { header, body } => {
                header.iter().map(|header| &**header).chain(body).flat_map(Element::labels).collect()
            }
        }
    }
}

#[pyclass(weakref)]
struct Document {
    root: Element,
}

#[pymethods]
impl Document {
    fn __len__(&self) -> usize {
        self.root.count()
    }

    fn click(&self, py: Python<'_>) -> PyResult<()> {
        fn click(element: &Element, py: Python<'_>) -> PyResult<()> {
            match element {
                Element::Text(_) => Ok(()),
                Element::Button { on_click, .. } => on_click.call0(py).map(drop),
                Element::Section { header, body } => {
                    header.iter().map(|header| &**header).chain(body).try_for_each(|inner| click(inner, py))
                }
            }
        }
        click(&self.root, py)
    }
}

#[pyclass(weakref)]
#[derive(Default)]
struct Node {
    edges: HashMap<String, Vec<Py<Node>>>,
}

#[pymethods]
impl Node {
    fn connect(&mut self, name: &str, node: Py<Node>) {
        self.edges.entry(name.to_owned()).or_default().push(node);
    }
}

/// A document whose deepest button refers back to the document.
fn document(py: Python<'_>, depth: usize) -> PyResult<Bound<'_, Document>> {
    let document = Bound::new(py, Document { root: Element::Text("empty".into()) })?;
    let on_click = document.getattr("__len__")?.unbind();
    let button = Element::Button { label: "count".into(), on_click };
    let root = (0..depth).fold(button, |inner, level| Element::Section {
        header: Some(Box::new(Element::Text(format!("level {level}")))),
        body: vec![inner],
    });
    document.borrow_mut().root = root;
    Ok(document)
}

/// A ring of nodes, each of which also knows the first.
fn ring(py: Python<'_>, size: usize) -> PyResult<Bound<'_, Node>> {
    let nodes = (0..size).map(|_| Bound::new(py, Node::default())).collect::<PyResult<Vec<_>>>()?;
    for (i, node) in nodes.iter().enumerate() {
        let mut node = node.borrow_mut();
        node.connect("next", nodes[(i + 1) % size].clone().unbind());
        node.connect("first", nodes[0].clone().unbind());
    }
    Ok(nodes[0].clone())
}

/// Collects and says whether the object is gone.
fn collect(py: Python<'_>, weak: &Bound<'_, PyWeakrefReference>) -> PyResult<&'static str> {
    py.import("gc")?.call_method0("collect")?;
    Ok(if weak.upgrade().is_none() { "collected" } else { "alive" })
}

fn main() -> PyResult<()> {
    Python::attach(|py| {
        let document = document(py, 100)?;
        document.call_method0("click")?;
        println!("document: {} elements, buttons {:?}", document.len()?, document.borrow().root.labels());
        let weak = PyWeakrefReference::new(&document)?;
        println!("  while it is held: {}", collect(py, &weak)?);
        drop(document);
        println!("  once it isn't:    {}", collect(py, &weak)?);

        let ring = ring(py, 1_000)?;
        println!("ring: 1000 nodes");
        let weak = PyWeakrefReference::new(&ring)?;
        println!("  while it is held: {}", collect(py, &weak)?);
        drop(ring);
        let gone = collect(py, &weak)?;
        println!("  once it isn't:    {gone}");
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use pyo3_gc::testing::check_class;

    use super::*;

    #[test]
    fn the_hooks_are_right() {
        Python::attach(|py| {
            let report = check_class(py, |sentinels| {
                let button = |name| -> PyResult<_> {
                    Ok(Element::Button { label: String::from(name), on_click: sentinels.object(name)? })
                };
                let header = Some(Box::new(button("header")?));
                let root = Element::Section { header, body: vec![button("body")?, button("body")?] };
                Bound::new(py, Document { root })
            });
            report.unwrap().assert_correct();

            let report = check_class(py, |sentinels| {
                let node = Bound::new(py, Node::default())?;
                let peer = sentinels.register("peer", Bound::new(py, Node::default())?)?;
                node.borrow_mut().connect("first", peer.clone_ref(py));
                node.borrow_mut().connect("second", peer);
                Ok(node)
            });
            report.unwrap().assert_correct();
        });
    }
}
