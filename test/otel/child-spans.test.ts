// Child runs in the trace of their caller: live, in the program's own tracer, after a restart, and in an export of the journal.
import { writeFileSync } from 'node:fs';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { familyRecords } from '../../src/cli/trace/family-records.ts';
import { openTelemetry } from '../../src/otel/index.ts';
import type { DriveOptions, Engine } from '../../src/runtime/api/engine.ts';
import type { SpanRecord } from '../../src/telemetry/span-record.ts';
import { engineOf, good, pathTo } from '../runtime/set-up.ts';

/** A child run asks a person, and calls a grandchild. */
function writeTemplates(): void {
  const files = {
    'grandchild.yaml': 'name: grandchild\ndescription: Works.\nsteps: [{ name: made, handler: work }]',
    'child.yaml': `name: child
description: Asks and works.
capabilities: [{ template: ./grandchild.yaml }]
steps:
  - { name: check, type: human_review, prompt: "Is it right?" }
  - { name: sub, handler: grandchild, dependencies: [check] }`,
    'parent.yaml': `name: parent
capabilities: [{ template: ./child.yaml }]
steps: [{ name: sub, handler: child }]`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(pathTo(name), `reconverge: 1\n${text}\n`);
}

/** Drives the run until the child asks, and answers with another engine over the same store. */
async function twoProcesses(listen: (engine: Engine) => Promise<DriveOptions>): Promise<readonly SpanRecord[]> {
  writeTemplates();
  const store = pathTo('runs.db');
  const first = engineOf({ store });
  const handle = good(await first.start(good(await first.load('parent.yaml')), await listen(first)));
  expect((await handle.done).status).toBe('waiting');
  const child = first.runs().find(({ parent }) => parent === handle.id)?.id ?? '';
  await first.close();
  const second = engineOf({ store });
  const order = { type: 'review', gate: 'g1', verdict: 'approve', by: 'ann' } as const;
  const ordered = good(await second.order(child, order, await listen(second)));
  expect((await ordered.handle?.done)?.status).toBe('completed');
  return familyRecords(second, good(second.read(handle.id)));
}

function sorted(spans: readonly ReadableSpan[]) {
  return spans
    .map((span) => ({ ...span.spanContext(), name: span.name, parent: span.parentSpanContext?.spanId }))
    .map(({ traceId, spanId, name, parent }) => `${traceId} ${parent} ${spanId} ${name}`)
    .sort();
}

const sortedRecords = (records: readonly SpanRecord[]) =>
  records.map(({ trace: id, parent, span, name }) => `${id} ${parent} ${span} ${name}`).sort();

function expectOneTree(records: readonly SpanRecord[]): void {
  expect(new Set(records.map(({ trace: id }) => id)).size).toBe(1);
  const ids = new Set(records.map(({ span }) => span));
  expect(records.filter(({ parent }) => parent === undefined || !ids.has(parent)).map(({ name }) => name)).toEqual([
    'run',
  ]);
  expect(records.filter(({ name }) => name === 'run')).toHaveLength(3);
}

describe('the spans of a child run', () => {
  it('arrive with those of its caller, also after a restart, and are the same in an export', async () => {
    const exporter = new InMemorySpanExporter();
    const records = await twoProcesses(async (engine) => {
      const processor = new SimpleSpanProcessor({ exporter });
      const { onEvents } = await openTelemetry(engine, { spanProcessors: [processor], metricReaders: [] });
      return { onEvents, onChildEvents: onEvents };
    });
    expectOneTree(records);
    expect(sorted(exporter.getFinishedSpans())).toEqual(sortedRecords(records));
  });

  it('are in the tracer of the program', async () => {
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
    onTestFinished(() => trace.disable());
    const records = await twoProcesses(async () => ({}));
    expectOneTree(records);
    expect(sorted(exporter.getFinishedSpans())).toEqual(sortedRecords(records));
  });

  it('hang under the call in an export when an earlier version started it without a trace context', async () => {
    writeTemplates();
    writeFileSync(
      pathTo('child.yaml'),
      'reconverge: 1\nname: child\ndescription: Works.\nsteps: [{ name: made, handler: work }]\n',
    );
    const engine = engineOf({ propagation: false });
    const handle = good(await engine.start(good(await engine.load('parent.yaml'))));
    await handle.done;
    const records = familyRecords(engine, good(engine.read(handle.id)));
    const [first, second] = records.filter(({ name }) => name === 'run');
    const call = records.find(({ name }) => name === 'execute_tool child');
    expect(second).toMatchObject({ trace: first?.trace, parent: call?.span });
  });
});
