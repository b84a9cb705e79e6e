//! Lets tests, examples and benches find the shared libpython that they embed, wherever it is installed, and tells them
//! what kind it is.

// PyO3 0.30 deprecates the fields in favour of methods that 0.28 doesn't have.
#![allow(deprecated)]

use std::env;
use std::path::{Path, PathBuf};

use pyo3_build_config::{InterpreterConfig, PythonImplementation};

fn main() {
    // This file and the interpreter alone, which cargo looks after anyway.
    println!("cargo::rerun-if-changed=Cargo.toml");
    let config = pyo3_build_config::get();
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") && !has_libpython(config) {
        println!("cargo::error={}", missing(config));
    }
    pyo3_build_config::add_libpython_rpath_link_args();
    pyo3_build_config::use_pyo3_cfgs();
    if let Some(path) = libpython(config) {
        println!("cargo::rustc-env=LIBPYTHON={}", path.display());
    }
}

/// The library that the linker will ask for.
fn libpython(config: &InterpreterConfig) -> Option<PathBuf> {
    let (name, dir) = (config.lib_name.as_ref()?, config.lib_dir.as_ref()?);
    Some(Path::new(dir).join(format!("lib{name}.so")))
}

/// Whether that is there. What can't be told from here counts as there.
fn has_libpython(config: &InterpreterConfig) -> bool {
    if !matches!(config.implementation, PythonImplementation::CPython) {
        return true;
    }
    config.shared && libpython(config).is_none_or(|path| path.exists())
}

fn missing(config: &InterpreterConfig) -> String {
    let version = config.version;
    let interpreter = config.executable.as_deref().unwrap_or("the Python interpreter");
    format!(
        "{interpreter} (Python {version}) has no shared libpython, which the tests and examples embed. Install it \
         (Debian and Ubuntu: `apt install libpython{version}-dev`; Fedora: `dnf install python{version}-devel`; pyenv: \
         `PYTHON_CONFIGURE_OPTS=--enable-shared pyenv install {version}`), or name an interpreter that has one in \
         PYO3_PYTHON"
    )
}
