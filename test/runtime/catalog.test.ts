// Templates that are granted the catalog: capabilities that it includes, capabilities to name, and addresses that `http:` allows.
import { existsSync, linkSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunReport } from '../../src/runtime/api/run-report.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { serve } from '../capabilities/http/server.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reconverge-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the report of a run, or the codes of the issues of its template. */
async function run(body: string): Promise<RunReport | readonly string[]> {
  writeFileSync(join(folder, 't.yaml'), `reconverge: 1\nname: t\n${body}`);
  const engine = createEngine({ folder, journal: openMemoryJournal() });
  const loaded = await engine.load('t.yaml');
  if (!loaded.ok) return loaded.error.map(({ code }) => code);
  const started = await engine.start(loaded.value);
  if (!started.ok) return started.error.map(({ code }) => code);
  const report = await started.value.done;
  await engine.close();
  return report;
}

const shell = `
roots: [.]
steps:
  - name: a
    handler: shell.run
    input: { program: node, args: [-p, "6 * 7"] }
`;

it('a step runs a program only if the template grants shell.run by name', async () => {
  expect(await run(`capabilities: [catalog]${shell}`)).toEqual(['CAPABILITY_UNKNOWN']);
  expect(await run(`capabilities: [catalog, shell.run]${shell}`)).toMatchObject({
    status: 'completed',
    output: { a: { code: 0, stdout: '42\n' } },
  });
});

it('a template that names one capability is granted no other', async () => {
  const steps = 'steps:\n  - { name: a, handler: data.assert, input: { that: "true", data: 1 } }\n';
  expect(await run(`capabilities: [data.assert]\n${steps}`)).toMatchObject({ status: 'completed' });
  expect(await run(`capabilities: [data.validate]\n${steps}`)).toEqual(['CAPABILITY_UNKNOWN']);
  expect(await run(`capabilities: [data.asert]\n${steps}`)).toContain('MODULE_NOT_FOUND');
});

it('a report is not written over the store of runs', async () => {
  const report = 'handler: report.write, input: { path: .reconverge/runs.db, title: Gone, sections: [] }';
  writeFileSync(
    join(folder, 't.yaml'),
    `reconverge: 1\nname: t\ncapabilities: [catalog]\nroots: [.]\nsteps:\n  - { name: a, ${report} }\n`,
  );
  const engine = createEngine({ folder });
  const loaded = await engine.load('t.yaml');
  const started = loaded.ok ? await engine.start(loaded.value) : loaded;
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  expect(await started.value.done).toMatchObject({ status: 'failed', failure: { code: 'FILE_UNWRITABLE' } });
  expect(engine.runs()).toHaveLength(1);
  await engine.close();
});

it.each([
  'handler: files.read, input: { path: FILE }',
  'handler: json.read, input: { path: FILE }',
  'handler: csv.read, input: { path: FILE }',
  'handler: csv.sniff, input: { path: FILE }',
  'handler: text.count, input: { path: FILE }',
  'handler: sql.query, input: { file: FILE, sql: "SELECT * FROM streams" }',
  'handler: sql.execute, input: { file: FILE, statements: [{ sql: "DELETE FROM streams" }] }',
])('a step cannot read or change the store of runs: %s', async (step) => {
  for (const file of ['.reconverge/runs.db', './x/../.reconverge/runs.db', 'hard.db']) {
    writeFileSync(
      join(folder, 't.yaml'),
      `reconverge: 1\nname: t\ncapabilities: [catalog]\nroots: [.]\neffects: { allowed: [read, write] }\nsteps:\n  - { name: a, ${step.replace('FILE', file)} }\n`,
    );
    const engine = createEngine({ folder });
    if (!existsSync(join(folder, 'hard.db'))) linkSync(join(folder, '.reconverge/runs.db'), join(folder, 'hard.db'));
    const loaded = await engine.load('t.yaml');
    const started = loaded.ok ? await engine.start(loaded.value) : loaded;
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    const { failure } = await started.value.done;
    expect([file, failure?.code]).toEqual([file, step.includes('sql.execute') ? 'FILE_UNWRITABLE' : 'FILE_UNREADABLE']);
    await engine.close();
  }
});

it('a step reaches an HTTP address only if the template allows the address', async () => {
  const port = await serve((_, response) => response.end('hello'));
  const steps = `steps:\n  - { name: a, handler: http.get, input: { url: "http://127.0.0.1:${port}/" } }\n`;
  const granted = (http: string) => run(`capabilities: [catalog]\n${http}\n${steps}`);
  expect(await granted('')).toMatchObject({ status: 'failed', failure: { code: 'HTTP_NOT_ALLOWED' } });
  expect(await granted(`http: { allow: ["127.0.0.1:${port}"] }`)).toMatchObject({
    failure: { code: 'HTTP_ADDRESS_PRIVATE' },
  });
  expect(await granted(`http: { allow: ["127.0.0.1:${port}"], private: true }`)).toMatchObject({
    status: 'completed',
    output: { a: { text: 'hello' } },
  });
});

const composed = `
capabilities:
  - compose:
      name: lines.count
      description: Count the lines of a file.
      input: "{path :string}"
      output: "{lines :int}"
      steps:
        - { call: text.count, input: { path: "{{ input.path }}" } }
        - { name: kept, call: PUT, input: { store: kept, key: lines, value: "{{ results.text_count.lines }}" } }
      result: { lines: "{{ results.text_count.lines }}" }
roots: [.]
`;
const calls = `steps:\n  - { name: a, handler: lines.count, input: { path: t.yaml } }\n`;

it('a composition runs as one capability, and the capabilities that it calls are not granted', async () => {
  const template = composed.replace('PUT', 'persist.put');
  expect(await run(template + calls)).toMatchObject({ status: 'completed', output: { a: { lines: 16 } } });
  const other = 'steps:\n  - { name: a, handler: text.count, input: { path: t.yaml } }\n';
  expect(await run(template + other)).toEqual(['CAPABILITY_UNKNOWN']);
});

it('an issue in a composition has the line and column of the mistake', async () => {
  writeFileSync(join(folder, 't.yaml'), `reconverge: 1\nname: t\n${composed.replace('PUT', 'persist.putt')}${calls}`);
  const loaded = await createEngine({ folder, journal: openMemoryJournal() }).load('t.yaml');
  expect(loaded.ok ? [] : loaded.error).toMatchObject([
    { code: 'CAPABILITY_UNKNOWN', place: { line: 12, column: 31 } },
  ]);
});

it('a composition that a plan calls needs an approval for its effects', async () => {
  const fragment = '{ steps: [{ name: b, handler: lines.count, input: { path: t.yaml } }] }';
  const plan = `steps:
  - { name: plan, type: planning, convergence_target: end, planner: { kind: fixed, fragment: ${fragment} } }
  - { name: end, type: deferred, dependencies: [plan] }
`;
  expect(await run(composed.replace('PUT', 'persist.put') + plan)).toMatchObject({
    status: 'waiting',
    gates: [{ kind: 'approval', prompt: expect.stringContaining('lines.count, whose effect is filesystem') }],
  });
});
