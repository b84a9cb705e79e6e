//! Cycles through each class of examples/extension, made, dropped and collected again and again, leave the memory as it
//! was.

use std::ffi::CStr;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::memory::stays_flat;
use crate::support::process::in_a_process_of_its_own;

/// A function for each class, which makes one cycle through an instance.
const CYCLES: &CStr = c"
class Object:
    pass

def node():
    node = Node('node')
    node.value = node

def edge():
    node = Node('node')
    node.connect(node)

def observers():
    node = Node('node')
    node.observe(lambda event: node)

def event():
    node = Node('node')
    node.value = Event.ValueChanged(node, None, Object())

def graph():
    graph = Graph()
    graph.add(Node('node', graph))

def memo():
    # The function doesn't refer back: the cycle runs through the entry behind the lock alone.
    node, memo = Node('node'), Memo(lambda _: Object())
    memo(node).memo = memo

def failure():
    # The exception's traceback holds the memo.
    node, memo = Node('node'), Memo(lambda node: node.fails())
    try:
        memo(node)
    except AttributeError as error:
        error.memo = memo

def neighbours():
    node = Node('node')
    node.value = node.neighbours()

def walk():
    node = Node('node')
    node.value = node.walk(Order.DEPTH_FIRST)

def repeat(cycle, count):
    for _ in range(count):
        cycle()
";

/// All in one test, since they would disturb each other.
#[test]
fn memory_stays_flat() {
    in_a_process_of_its_own(|| {
        Python::attach(|py| {
            let scope = PyDict::new(py);
            for class in [
                py.get_type::<crate::node::Node>(),
                py.get_type::<crate::event::Event>(),
                py.get_type::<crate::graph::Graph>(),
                py.get_type::<crate::memo::Memo>(),
                py.get_type::<crate::walk::Order>(),
            ] {
                scope.set_item(class.name().unwrap(), class).unwrap();
            }
            py.run(CYCLES, Some(&scope), None).unwrap();
            let get = |name| scope.get_item(name).unwrap().unwrap();
            for name in
                ["node", "edge", "observers", "event", "graph", "memo", "failure", "neighbours", "walk"]
            {
                let repeat = |count| drop(get("repeat").call1((get(name), count)).unwrap());
                stays_flat(py, name, repeat);
            }
        });
    });
}
