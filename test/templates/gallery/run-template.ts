// Runs a template of the gallery in a copy of its folder, as `reconverge init --from` makes one.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { RunRecord } from '../../../src/runtime/api/run-record.ts';
import type { RunReport } from '../../../src/runtime/api/run-report.ts';
import { createEngine } from '../../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../../src/store/memory-journal.ts';
import { root } from '../../sources.ts';

/** Copies the template, and adds files to the copy or replaces some. */
export function copyOf(name: string, files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), `reconverge-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, 'templates', name), folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

export interface Ran<Output> {
  readonly report: RunReport;
  readonly record: RunRecord;
  readonly output: Output;
  /** Status by step id. */
  readonly statuses: Readonly<Record<string, string>>;
}

interface RunOptions {
  readonly input?: JsonObject;
  readonly budget?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly surroundings?: Readonly<Record<string, string>>;
  /** Approves each gate that the run waits for. */
  readonly isApproved?: boolean;
}

export async function runIn<Output>(folder: string, options: RunOptions = {}): Promise<Ran<Output>> {
  const { input = {}, budget = {}, environment, surroundings = {}, isApproved = false } = options;
  const engine = createEngine({ folder, journal: openMemoryJournal(), surroundings });
  onTestFinished(() => engine.close());
  const loaded = await engine.load(join(folder, 'template.yaml'), environment === undefined ? {} : { environment });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error, null, 1));
  const run = await engine.start(loaded.value, { input, budget });
  if (!run.ok) throw new Error(JSON.stringify(run.error, null, 1));
  let report = await run.value.done;
  while (isApproved && report.status === 'waiting') {
    const gate = report.gates?.[0]?.gate ?? '';
    const ordered = await engine.order(report.run, { type: 'review', gate, verdict: 'approve', by: 'ada' });
    if (!ordered.ok) throw new Error(JSON.stringify(ordered.error));
    if (ordered.value.handle === undefined) throw new Error(`nobody drives the run after gate ${gate}`);
    report = await ordered.value.handle.done;
  }
  const record = engine.read(report.run);
  if (!record.ok) throw new Error(JSON.stringify(record.error));
  const statuses = Object.fromEntries([...record.value.state.steps.values()].map(({ id, status }) => [id, status]));
  return { report, record: record.value, output: report.output as Output, statuses };
}
