// Records a run of a template against the scripted model server, and returns the cassette.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cassette } from '../../src/llm/cassette.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import type { Recording } from './recording.ts';

const NOTE =
  'Recorded against a scripted model server (src/testing/model-server.ts) by "npm run cassettes": no model has written these answers.';

/** The text of the cassette file, the same each time. @throws when the run departs from its script */
export async function record(root: string, { template, input, why, script }: Recording): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-cassette-'));
  const server = await openModelServer({ script });
  const surroundings = { OPENAI_BASE_URL: server.url };
  const engine = createEngine({ folder: root, journal: openMemoryJournal(), surroundings });
  const file = join(folder, 'cassette.json');
  try {
    const loaded = await engine.load(join('templates', template));
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error, null, 2));
    // Steps run one at a time, so that the exchanges have one order.
    const oneByOne = { ...loaded.value, concurrency: { ...loaded.value.concurrency, max: 1 } };
    const started = await engine.start(oneByOne, { input, record: file });
    if (!started.ok) throw new Error(JSON.stringify(started.error, null, 2));
    let report = await started.value.done;
    for (let gate = report.gates?.[0]; gate !== undefined; gate = report.gates?.[0]) {
      const order = { type: 'review', gate: gate.gate, verdict: 'approve', by: 'somebody', why } as const;
      const ordered = await engine.order(report.run, order, { record: file });
      if (!ordered.ok) throw new Error(JSON.stringify(ordered.error, null, 2));
      if (ordered.value.handle === undefined) throw new Error('nobody has taken the run up');
      report = await ordered.value.handle.done;
    }
    const [unused] = server.unused();
    if (report.status !== 'completed' || unused !== undefined) {
      throw new Error(JSON.stringify({ report, unused, last: server.requests.at(-1)?.body }, null, 2));
    }
    const { exchanges, ...head } = JSON.parse(readFileSync(file, 'utf8')) as Cassette;
    return `${JSON.stringify({ ...head, note: NOTE, exchanges }, null, 2)}\n`;
  } finally {
    await engine.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
