// Rewrites the cassettes beside the templates after a change of a prompt, a template or its data. With --check it only lists stale cassettes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { record } from './cassettes/record.ts';
import { recordings } from './cassettes/recordings.ts';

const root = join(import.meta.dirname, '..');
const checking = process.argv.includes('--check');

for (const recording of recordings) {
  const file = join(root, 'templates', recording.cassette);
  const wanted = await record(root, recording);
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) continue;
  if (checking) {
    console.error(`templates/${recording.cassette} is not current: run "npm run cassettes"`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, wanted);
    console.log(`wrote templates/${recording.cassette}`);
  }
}
