// A real Jaeger: what its query interface answers about runs is what their journals tell.
import { describe, expect, it } from 'vitest';
import { demonstration, manySteps, withChildren, withModels } from './runs.ts';
import { arrived, backend, type Told, type ToldSpan } from './sent-run.ts';

const jaeger = backend('JAEGER');

interface Tag {
  readonly key: string;
  readonly value: unknown;
}

/** A span of Jaeger's HTTP interface. Times are microseconds. */
interface JaegerSpan {
  readonly spanID: string;
  readonly operationName: string;
  readonly startTime: number;
  readonly duration: number;
  readonly references: readonly { readonly refType: string; readonly traceID: string; readonly spanID: string }[];
  readonly tags: readonly Tag[];
  readonly logs: readonly { readonly fields: readonly Tag[] }[];
  readonly warnings: readonly string[] | null;
}

/** The data of an answer. */
async function asked<T>(path: string): Promise<T> {
  const { data } = (await (await fetch(`${jaeger?.query}/api/${path}`)).json()) as { readonly data: T };
  return data;
}

async function inJaeger({ trace }: Told, count: number): Promise<readonly JaegerSpan[]> {
  return arrived(async () => {
    const [found] = (await asked<readonly { readonly spans: readonly JaegerSpan[] }[] | null>(`traces/${trace}`)) ?? [];
    return found?.spans ?? [];
  }, count);
}

const tag = ({ tags }: JaegerSpan, key: string): unknown => tags.find((each) => each.key === key)?.value;
const parent = ({ references }: JaegerSpan) => references.find(({ refType }) => refType === 'CHILD_OF')?.spanID;

/** A span of the journal in Jaeger's words. */
function expected({ span, parent: above, name, startedAt, endedAt, error, links, events }: ToldSpan) {
  return {
    id: span,
    parent: above,
    name,
    started: startedAt,
    took: endedAt - startedAt,
    error,
    links: links.map(({ to }) => to),
    events: events.map((event) => event.name),
  };
}

function found(span: JaegerSpan): ReturnType<typeof expected> {
  return {
    id: span.spanID,
    parent: parent(span),
    name: span.operationName,
    started: Math.floor(span.startTime / 1_000),
    // Jaeger counts the microseconds that keep the order of events.
    took: Math.floor((span.startTime + span.duration) / 1_000) - Math.floor(span.startTime / 1_000),
    error: tag(span, 'error') === true ? String(tag(span, 'error.type')) : undefined,
    links: span.references.filter(({ refType }) => refType === 'FOLLOWS_FROM').map(({ spanID }) => spanID),
    events: span.logs.map(({ fields }) => String(fields.find(({ key }) => key === 'event')?.value)),
  };
}

const byId = <T extends { readonly id: string }>(spans: readonly T[]) =>
  [...spans].sort((a, b) => (a.id < b.id ? -1 : 1));

/** One tree without warnings, span for span as told. */
function expectWhole(
  spans: readonly JaegerSpan[],
  told: readonly ToldSpan[],
  roots: readonly (string | undefined)[],
): void {
  expect(spans).toHaveLength(told.length);
  const ids = new Set(spans.map(({ spanID }) => spanID));
  const orphans = spans.filter((span) => !ids.has(parent(span) ?? ''));
  expect(orphans.slice(0, 5).map(({ operationName }) => operationName)).toEqual(roots);
  expect(spans.flatMap(({ warnings }) => warnings ?? []).slice(0, 5)).toEqual([]);
  expect(byId(spans.map(found))).toEqual(byId(told.map(expected)));
}

describe.skipIf(jaeger === undefined)('Jaeger', () => {
  const address = jaeger as NonNullable<typeof jaeger>;

  it('shows the demonstration as one tree, with the file that cannot be read', async () => {
    const told = await demonstration(address);
    const spans = await inJaeger(told, told.spans.length);
    expectWhole(spans, told.spans, ['run']);
    expect(spans.filter((span) => tag(span, 'error.type') === 'CSV_BROKEN').length).toBeGreaterThan(0);
    expect(await asked('services')).toContain('reconverge');
  });

  it('shows models, retries, a replan with its links, and a gate that another process answered', async () => {
    const { before, after } = await withModels(address);
    expect(after.trace).toBe(before.trace);
    const spans = await inJaeger(after, after.spans.length);
    expectWhole(spans, after.spans, ['run']);
    const names = new Set(spans.map(({ operationName }) => operationName));
    for (const name of ['run', 'phase', 'replan', 'chat gpt-5-mini']) expect(names).toContain(name);
    const chat = spans.find(({ operationName }) => operationName === 'chat gpt-5-mini');
    expect(chat && tag(chat, 'gen_ai.usage.input_tokens')).toEqual(expect.any(Number));
    expect(chat && tag(chat, 'span.kind')).toBe('client');
    // An operator finds the run by a tag.
    const query = new URLSearchParams({
      service: 'reconverge',
      tags: JSON.stringify({ 'reconverge.run.id': after.run }),
    });
    const data = await asked<readonly { readonly traceID: string }[]>(`traces?${query}`);
    expect(data.map(({ traceID }) => traceID)).toEqual([after.trace]);
  });

  it('shows child runs in the trace of their caller', async () => {
    const told = await withChildren(address);
    expect(told.spans.filter(({ kind }) => kind === 'run')).toHaveLength(3);
    expectWhole(await inJaeger(told, told.spans.length), told.spans, ['run']);
  });

  it('loses no span of 3,000 steps', async () => {
    for (const protocol of ['http', 'grpc'] as const) {
      const told = await manySteps(address, protocol);
      expect(told.spans).toHaveLength(3_001);
      expectWhole(await inJaeger(told, told.spans.length), told.spans, ['run']);
    }
  });
});
