// Draws the run of the template in README.md as the picture that the page shows.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { graphOfRun } from '../../src/view/graph/export.ts';
import { svg } from '../../src/view/graph/svg.ts';

export async function readmePicture(root: string): Promise<string> {
  const [, template = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-readme-'));
  cpSync(join(root, 'templates/data/shop'), join(folder, 'data'), { recursive: true });
  writeFileSync(join(folder, 'profile.yaml'), template);
  const engine = createEngine({ folder, journal: openMemoryJournal() });
  try {
    const loaded = await engine.load('profile.yaml');
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    const run = await engine.start(loaded.value);
    if (!run.ok) throw new Error(JSON.stringify(run.error));
    await run.value.done;
    const record = engine.read(run.value.id);
    if (!record.ok) throw new Error(JSON.stringify(record.error));
    return svg(graphOfRun(record.value.state));
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
