// Every version shows and continues the runs in stores of earlier versions as before. Never rewrite a fixture.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { call, project } from '../cli/reconverge.ts';
import { inOrder, type Recorded, shownIn } from './shown.ts';

const folder = import.meta.dirname;
const names = readdirSync(folder).flatMap((name) => (name.endsWith('.db.gz') ? [name.slice(0, -6)] : []));

function opened(name: string): { readonly cwd: string; readonly recorded: Recorded } {
  const cwd = project();
  mkdirSync(join(cwd, '.reconverge'));
  writeFileSync(join(cwd, '.reconverge/runs.db'), gunzipSync(readFileSync(join(folder, `${name}.db.gz`))));
  return { cwd, recorded: JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Recorded };
}

describe.each(names)('the store %s', (name) => {
  it('shows each run as the version that wrote it did', async () => {
    const { cwd, recorded } = opened(name);
    for (const [run, shown] of Object.entries(recorded.shown)) {
      const { stdout } = await call(['show', run, '--json'], { cwd });
      expect(shownIn(stdout), run).toEqual(inOrder(shown));
    }
  });

  it('replays every event, graft and ledger entry of its runs', async () => {
    const { cwd, recorded } = opened(name);
    for (const run of Object.keys(recorded.shown)) {
      const { code, stdout, stderr } = await call(['replay', run], { cwd });
      expect(code, `${run}: ${stdout}${stderr}`).toBe(0);
    }
  });

  it('continues the runs that waited or were interrupted to the same end', async () => {
    const { cwd, recorded } = opened(name);
    for (const { words, code, shown } of recorded.continued) {
      const ended = await call([...words, '--quiet'], { cwd });
      const { stdout } = await call(['show', words[1] ?? '', '--json'], { cwd });
      expect({ words, code: ended.code, shown: shownIn(stdout) }).toEqual({ words, code, shown: inOrder(shown) });
    }
  });
});
