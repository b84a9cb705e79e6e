//! `check_class` finds nothing wrong with what CPython itself is made of, static types and heap types.

use std::ffi::CString;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_gc::testing::ClassCheck;

/// An expression that holds `s`, and whether it is cleared.
const EXPRESSIONS: [(&str, bool); 9] = [
    ("[s, s]", true),
    ("{1: s, s: 2}", true),
    ("{s}", true),
    ("(s,)", false),
    ("s.__call__", false),
    ("__import__('collections').deque([s])", true),
    ("__import__('collections').OrderedDict(a=s)", true),
    ("__import__('types').SimpleNamespace(a=[s])", true),
    ("type('Python', (), {'__init__': lambda self, s: setattr(self, 's', s)})(s)", true),
];

#[test]
fn nothing_is_wrong_with_cpython() {
    Python::attach(|py| {
        for (expression, cleared) in EXPRESSIONS {
            let code = CString::new(expression).unwrap();
            let check = if cleared { ClassCheck::new() } else { ClassCheck::new().keeps("s") };
            let report = check.run(py, |sentinels| {
                let names = PyDict::new(py);
                names.set_item("s", sentinels.object("s")?)?;
                py.eval(&code, None, Some(&names))
            });
            let report = report.unwrap();
            assert!(report.is_correct() && report.unchecked.is_empty(), "{expression} {report}");
        }
    });
}
