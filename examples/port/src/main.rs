//! Finds what is wrong with the garbage-collector hooks of a PyO3 project, and ports it to pyo3-gc.

mod analysis;
mod check;
mod compiler;
mod decisions;
mod derives;
mod edits;
mod fix;
mod holds;
mod hooks;
mod imports;
mod known;
mod lock;
mod macros;
mod manifest;
mod methods;
mod model;
mod names;
mod owned;
mod port;
mod project;
mod sources;
mod tidy;
mod unvisited;
mod worktree;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use compiler::Interrupted;
use manifest::Origin;
use project::Project;
use serde::Serialize;

const STATUS: &str = "\
Exit status:
  0  nothing found; ported, and it compiles
  1  there are findings; ported as far as possible, and the compiler still has errors
  2  wrong arguments, or a project that can't be read or isn't to be touched; nothing was changed
  130  interrupted";

/// Checks the garbage-collector hooks of a PyO3 project, and ports it to pyo3-gc.
#[derive(Parser)]
#[command(name = "pyo3-gc-port", version, after_help = STATUS)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Lists the classes of a crate or workspace, and how each stands with the garbage collector. Changes nothing.
    #[command(after_help = STATUS)]
    Check {
        /// The folder of a crate or workspace, or its Cargo.toml.
        path: PathBuf,
        /// Write the report as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Changes the sources in place until they compile with pyo3-gc. What needs a person is left, and listed.
    #[command(after_help = STATUS)]
    Port {
        /// The folder of a crate or workspace, or its Cargo.toml.
        path: PathBuf,
        /// Show the changes as a diff, and change nothing.
        #[arg(long)]
        dry_run: bool,
        /// Change also what git can't restore.
        #[arg(long, short)]
        yes: bool,
        /// The version of pyo3-gc, or its folder.
        #[arg(long, value_name = "PATH-OR-VERSION", default_value = "0.1")]
        pyo3_gc: String,
        /// Features to check the project with, as cargo takes them.
        #[arg(long)]
        features: Option<String>,
        /// Check the project with all features.
        #[arg(long)]
        all_features: bool,
        /// Write the summary as JSON.
        #[arg(long)]
        json: bool,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(is_clean) => ExitCode::from(u8::from(!is_clean)),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(if error.is::<Interrupted>() { 130 } else { 2 })
        }
    }
}

/// Whether there is nothing left to do.
fn run(command: Command) -> Result<bool> {
    match command {
        Command::Check { path, json } => {
            let report = check::check(&Project::load(&path)?)?;
            show(json, &report, || report.table())?;
            Ok(report.findings == 0)
        }
        Command::Port { path, dry_run, yes, pyo3_gc, features, all_features, json } => {
            let features = features.map(|features| format!("--features={features}"));
            let cargo = features.into_iter().chain(all_features.then(|| "--all-features".to_owned()));
            let origin = Origin::parse(&pyo3_gc)?;
            let options =
                port::Options { path, is_dry: dry_run, is_agreed: yes, origin, cargo: cargo.collect() };
            let summary = port::port(&options)?;
            show(json, &summary, || summary.text())?;
            Ok(summary.errors == 0)
        }
    }
}

fn show(as_json: bool, what: &impl Serialize, text: impl Fn() -> String) -> Result<()> {
    if as_json {
        println!("{}", serde_json::to_string_pretty(what)?);
    } else {
        print!("{}", text());
    }
    Ok(())
}
