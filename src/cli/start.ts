#!/usr/bin/env node
// The program: an older Node could not even read the command line, so its version is checked before anything is loaded.
const required = 24;

if (Number.parseInt(process.versions.node, 10) >= required) {
  await import('./main.ts');
} else {
  process.stderr.write(
    `error: reconverge needs Node ${required} or newer, and this is Node ${process.versions.node}\n   hint: install a newer Node: https://nodejs.org/en/download\n`,
  );
  process.exitCode = 2;
}
