//! Tells the crate what std can do, and its doc tests where the interpreter that they embed is.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(lazy_get)");
    // `LazyCell::get` and `LazyLock::get` look without forcing.
    if rustc_minor().is_some_and(|minor| minor >= 94) {
        println!("cargo::rustc-cfg=lazy_get");
    }
    // Applies to this crate's own doc tests alone: link arguments don't reach dependents.
    if env::var_os("CARGO_CFG_UNIX").is_some() {
        if let Some(dir) = libpython_dir() {
            println!("cargo::rustc-link-arg=-Wl,-rpath,{dir}");
        }
    }
}

/// The 94 of `rustc 1.94.0 (…)`. Where the answer isn't understood, the crate does without.
fn rustc_minor() -> Option<u32> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    version.split('.').nth(1)?.parse().ok()
}

/// The folder of the shared libpython, out of the configuration that PyO3 hands down from 0.29 on: lines of
/// `key=value`, in hexadecimal.
fn libpython_dir() -> Option<String> {
    let hex = env::var("DEP_PYO3_PYTHON_PYO3_CONFIG").ok()?;
    let bytes = (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(hex.get(i..i + 2)?, 16).ok());
    let config = String::from_utf8(bytes.collect::<Option<_>>()?).ok()?;
    config.lines().find_map(|line| line.strip_prefix("lib_dir=")).map(String::from)
}
