//! Tests that need a process of their own.

use std::any::type_name;
use std::env;
use std::process::{Command, Output};

use pyo3::Python;

const CHILD: &str = "PYO3_GC_TEST_PROCESS";

/// Runs `test`, the whole body of a test, in a process of its own: it crashes, hangs or measures memory, or it changes what
/// belongs to everybody. What it prints is printed here. The name of the test is that of the closure.
pub(crate) fn in_a_process_of_its_own<F: FnOnce()>(test: F) {
    in_a_process_named_by::<F>(test);
}

/// The same for a test that is to be [alone](super::alone) there: it searches memory, which has what other tests left.
pub(crate) fn alone_in_a_process<F: FnOnce(Python<'_>)>(test: F) {
    in_a_process_named_by::<F>(|| super::alone(test));
}

fn in_a_process_named_by<F>(test: impl FnOnce()) {
    if is_child() {
        return test();
    }
    let Output { status, stdout, stderr } = child::<F>().output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    print!("{stdout}");
    eprint!("{stderr}");
    assert!(status.success(), "the process of this test has ended with {status}");
    assert!(stdout.contains("test result: ok. 1 passed"), "the process has run the test");
}

/// What `test`, the whole body of a test, does to a process of its own.
pub(crate) fn outcome_in_a_process_of_its_own<F: FnOnce()>(test: F) -> Output {
    if is_child() {
        test();
    }
    child::<F>().env("RUST_BACKTRACE", "0").output().unwrap()
}

fn is_child() -> bool {
    env::var_os(CHILD).is_some()
}

/// This program once more, with the one test that `F` is in.
fn child<F>() -> Command {
    let closure = type_name::<F>();
    let (_, path) = closure.split_once("::").unwrap();
    let test = path.trim_end_matches("::{{closure}}");
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(CHILD, "1");
    command
}
