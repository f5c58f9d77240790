// Draws the graph of a real run of the demo into README.md.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { graphOfRun } from '../../src/view/graph/export.ts';
import { mermaid } from '../../src/view/graph/mermaid.ts';

const MARKED = /(<!-- graph: .*? -->\n)[\s\S]*?(<!-- \/graph -->)/;

/** README.md with the current graph. */
export async function readmeWithGraph(root: string): Promise<string> {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const graph = await grownGraph(root);
  return readme.replace(
    MARKED,
    (_, open: string, close: string) => `${open}\`\`\`mermaid\n${graph.trim()}\n\`\`\`\n${close}`,
  );
}

async function grownGraph(root: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-readme-'));
  const engine = createEngine({ folder, journal: openMemoryJournal() });
  try {
    const template = await engine.load(join(root, 'templates/recon-then-execute.yaml'));
    if (!template.ok) throw new Error(JSON.stringify(template.error));
    const run = await engine.start(template.value, { input: { folder: join(root, 'templates/data/shop') } });
    if (!run.ok) throw new Error(JSON.stringify(run.error));
    await run.value.done;
    const record = engine.read(run.value.id);
    if (!record.ok) throw new Error(JSON.stringify(record.error));
    return mermaid(graphOfRun(record.value.state));
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
