// Writes a store as a fixture of test/stores: node scripts/store.ts RUNS.DB NAME 'COMMAND…' 'COMMAND…'. Run it where the store was made, in a folder whose path may be published.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Recorded, shownIn } from '../test/stores/shown.ts';

const [file = '', name = '', ...commands] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'reconverge-store-'));
mkdirSync(join(folder, '.reconverge'));
const copy = join(folder, '.reconverge', 'runs.db');
copyFileSync(file, copy);

/** The exit code is recorded, so no code is an error here. */
function call(words: readonly string[]): { readonly code: number; readonly stdout: string } {
  try {
    const stdout = execFileSync(process.execPath, [join(root, 'src/cli/main.ts'), ...words], {
      ...{ cwd: folder, encoding: 'utf8' as const, stdio: ['ignore', 'pipe', 'ignore'] as const },
    });
    return { code: 0, stdout };
  } catch (error) {
    const { status, stdout } = error as { readonly status: number; readonly stdout: string };
    return { code: status, stdout };
  }
}

const show = (run: string) => shownIn(call(['show', run, '--json']).stdout);
const { runs } = JSON.parse(call(['runs', '--limit', '1000', '--json']).stdout) as {
  readonly runs: { readonly id: string }[];
};
const recorded: Recorded = {
  shown: Object.fromEntries(runs.map(({ id }) => [id, show(id)])),
  continued: commands.map((command) => {
    const words = command.split(' ');
    const { code } = call([...words, '--quiet']);
    return { words, code, shown: show(words[1] ?? '') };
  }),
};
const fixtures = join(root, 'test/stores');
writeFileSync(join(fixtures, `${name}.db.gz`), gzipSync(readFileSync(file), { level: 9 }));
writeFileSync(join(fixtures, `${name}.json`), `${JSON.stringify(recorded, null, 1)}\n`);
