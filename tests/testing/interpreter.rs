//! The tests run in the interpreter that they were built for: a loader that finds another libpython of the same name
//! would let a version pass that nobody tried.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pyo3::prelude::*;

#[test]
fn is_the_one_that_the_linker_was_given() {
    let Some(libpython) = option_env!("LIBPYTHON") else { panic!("PyO3 knows where libpython is") };
    Python::attach(|_| {
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        let files =
            maps.lines().filter_map(|line| line.split_once('/')).map(|(_, path)| Path::new("/").join(path));
        let loaded: BTreeSet<PathBuf> =
            files.filter(|path| path.to_string_lossy().contains("/libpython")).collect();
        assert_eq!(loaded, BTreeSet::from([fs::canonicalize(libpython).unwrap()]));
    });
}
