//! Finds what is wrong with the garbage-collector hooks of a PyO3 project, and ports it to pyo3-gc.

mod analysis;
mod check;
mod holds;
mod hooks;
mod macros;
mod model;
mod names;
mod project;
mod sources;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use project::Project;

const STATUS: &str = "\
Exit status:
  0  nothing found; ported, and it compiles
  1  there are findings; ported as far as possible, and the compiler still has errors
  2  wrong arguments, or a project that can't be read or isn't to be touched; nothing was changed";

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
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(is_clean) => ExitCode::from(u8::from(!is_clean)),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Whether there is nothing left to do.
fn run(command: Command) -> Result<bool> {
    match command {
        Command::Check { path, json } => {
            let report = check::check(&Project::load(&path)?)?;
            if json {
                println!("{}", serde_json::to_string_pretty(&report)?);
            } else {
                print!("{}", report.table());
            }
            Ok(report.findings == 0)
        }
    }
}
