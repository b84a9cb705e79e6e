//! What the derive costs at compile time: a crate of 500 structs of ten fields with `PyGcTraversable`, with `Debug` and
//! `Clone`, and with neither, compiled by turns. The ratio is that of what the two add to the crate with
//! neither.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::{Times, is_measuring, turns};

mod support;

const STRUCTS: usize = 500;
const ROUNDS: usize = 7;
const FIELDS: [&str; 10] = [
    "u64",
    "bool",
    "String",
    "Option<String>",
    "Vec<u64>",
    "Vec<String>",
    "Option<Box<str>>",
    "(u32, f64)",
    "HashMap<String, u64>",
    "[u8; 16]",
];

/// Each crate, and what stands above its structs.
const CRATES: [(&str, &str); 3] = [
    ("bare", ""),
    ("Debug + Clone", "#[derive(Debug, Clone)]"),
    ("PyGcTraversable", "#[derive(pyo3_gc::PyGcTraversable)]"),
];
const BARE: usize = 0;
const DEBUG_CLONE: usize = 1;
const DERIVED: usize = 2;

fn main() -> Result<(), Box<dyn Error>> {
    if !is_measuring() {
        // There is no pyo3-gc of the bench profile to compile against, and none should be built for nothing.
        return Ok(());
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_time");
    fs::create_dir_all(&folder)?;
    let library = library()?;

    let mut times = Times::<3>::new();
    for turn in turns::<3>(ROUNDS) {
        let source = folder.join(format!("crate_{turn}.rs"));
        fs::write(&source, code(CRATES[turn].1))?;
        times.push(turn, compile(&source, &library)?);
    }

    // What disturbs a compilation only ever lengthens it: the shortest ones compare best.
    let cost = |turn| times.shortest(turn).saturating_sub(times.shortest(BARE)).as_secs_f64();
    println!("{:<28} {:>12} {:>12} {:>16}", "compile time", "shortest", "median", "/Debug + Clone");
    for (turn, (name, _)) in CRATES.into_iter().enumerate() {
        let (shortest, median) = (times.shortest(turn), times.median(turn));
        let ratio =
            if turn == DERIVED { format!("{:.2}", cost(DERIVED) / cost(DEBUG_CLONE)) } else { String::new() };
        println!("{name:<28} {shortest:>12.1?} {median:>12.1?} {ratio:>16}");
    }
    Ok(())
}

fn code(derives: &str) -> String {
    let mut code = "use std::collections::HashMap;\n".to_owned();
    for number in 0..STRUCTS {
        let _ = writeln!(code, "{derives}\npub struct Struct{number} {{");
        for (position, ty) in FIELDS.iter().enumerate() {
            let _ = writeln!(code, "    pub field_{position}: {ty},");
        }
        code.push_str("}\n");
    }
    code
}

/// The compiled `pyo3_gc` that this bench is linked with, where cargo says that it is.
fn library() -> Result<PathBuf, Box<dyn Error>> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args([
            "build",
            "--profile=bench",
            "--bench=compile_time",
            "--message-format=json-render-diagnostics",
        ])
        .stderr(Stdio::inherit())
        .output()?;
    let messages = String::from_utf8(output.stdout)?;
    let files = messages.split('"').map(|file| file.replace(r"\\", r"\"));
    files
        .map(PathBuf::from)
        .find(|file| {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("libpyo3_gc-") && file.extension().is_some_and(|extension| extension == "rlib")
        })
        .ok_or_else(|| "cargo names no library of pyo3-gc".into())
}

/// How long rustc takes for what `cargo check` asks of it.
fn compile(source: &Path, library: &Path) -> Result<Duration, Box<dyn Error>> {
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc
        .args(["--edition=2024", "--crate-type=lib", "--cap-lints=allow", "--out-dir"])
        .args([source.with_extension("out").as_path(), source])
        .arg(format!("--extern=pyo3_gc={}", library.display()))
        .arg(format!("-Ldependency={}", library.with_file_name("").display()))
        .arg("--emit=metadata");
    let start = Instant::now();
    let status = rustc.status()?;
    let time = start.elapsed();
    if status.success() { Ok(time) } else { Err(format!("rustc: {status}").into()) }
}
