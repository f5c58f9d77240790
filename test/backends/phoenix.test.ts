// A real Arize Phoenix: what its query interfaces answer about runs, with the kinds, tokens and messages that it reads from the GenAI attributes.
import { describe, expect, it } from 'vitest';
import { contentRun, demonstration, manySteps, withChildren, withModels } from './runs.ts';
import { arrived, backend, type Told } from './sent-run.ts';

const phoenix = backend('PHOENIX');

/** A span of Phoenix's REST interface. */
interface PhoenixSpan {
  readonly name: string;
  readonly context: { readonly trace_id: string; readonly span_id: string };
  readonly span_kind: string;
  readonly parent_id: string | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly status_code: string;
  readonly status_message: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface Page {
  readonly data: readonly PhoenixSpan[];
  readonly next_cursor: string | null;
}

async function inPhoenix({ trace }: Told, count: number): Promise<readonly PhoenixSpan[]> {
  return arrived(async () => {
    const spans: PhoenixSpan[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = new URLSearchParams({
        trace_id: trace,
        limit: '1000',
        ...(cursor && { cursor }),
      }).toString();
      const answer = await fetch(`${phoenix?.query}/v1/projects/default/spans?${query}`);
      // The project exists once a span has arrived.
      if (!answer.ok) return [];
      const page = (await answer.json()) as Page;
      spans.push(...page.data);
      cursor = page.next_cursor;
    }
    return spans;
  }, count);
}

async function graphQl<T>(query: string): Promise<T> {
  const answer = await fetch(`${phoenix?.query}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return ((await answer.json()) as { readonly data: T }).data;
}

/** One tree, with the names, times and errors of the journal. */
function expectWhole(spans: readonly PhoenixSpan[], told: Told['spans']): void {
  const ids = new Set(spans.map(({ context }) => context.span_id));
  expect(spans).toHaveLength(told.length);
  const orphans = spans.filter(({ parent_id: above }) => !ids.has(above ?? ''));
  expect(orphans.slice(0, 5).map(({ name }) => name)).toEqual(['run']);
  const found = spans.map((span) => ({
    id: span.context.span_id,
    parent: span.parent_id ?? undefined,
    name: span.name,
    started: Date.parse(span.start_time),
    ended: Date.parse(span.end_time),
    error: span.status_code === 'ERROR' ? span.status_message : undefined,
  }));
  const expected = told.map(({ span, parent, name, startedAt, endedAt, error }) => {
    return { id: span, parent, name, started: startedAt, ended: endedAt, error };
  });
  const sorted = (list: typeof found) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(sorted(found)).toEqual(sorted(expected));
}

const kindsOf = (spans: readonly PhoenixSpan[]) => new Set(spans.map(({ span_kind: kind }) => kind));

describe.skipIf(phoenix === undefined)('Phoenix', () => {
  const address = phoenix as NonNullable<typeof phoenix>;

  it('shows the demonstration as one tree of chains and tools', async () => {
    const told = await demonstration(address);
    const spans = await inPhoenix(told, told.spans.length);
    expectWhole(spans, told.spans);
    expect(kindsOf(spans)).toEqual(new Set(['CHAIN', 'TOOL']));
  });

  it('understands models, agents, tokens and costs', async () => {
    const { after } = await withModels(address);
    const spans = await inPhoenix(after, after.spans.length);
    expectWhole(spans, after.spans);
    expect(kindsOf(spans)).toEqual(new Set(['CHAIN', 'TOOL', 'AGENT', 'LLM']));
    const calls = spans.filter(({ span_kind: kind }) => kind === 'LLM');
    for (const { name, attributes } of calls) {
      expect(name).toBe('chat gpt-5-mini');
      expect(attributes).toMatchObject({
        'llm.model_name': 'gpt-5-mini',
        'llm.provider': 'openai',
        'llm.token_count.prompt': attributes['gen_ai.usage.input_tokens'],
        'llm.token_count.completion': attributes['gen_ai.usage.output_tokens'],
      });
    }
    const tokens = calls.reduce((sum, { attributes }) => sum + Number(attributes['llm.token_count.total']), 0);
    const { getTraceByOtelId: trace } = await graphQl<{
      readonly getTraceByOtelId: {
        readonly numSpans: number;
        readonly rootSpan: { readonly name: string; readonly cumulativeTokenCountTotal: number };
      };
    }>(`{ getTraceByOtelId(traceId: "${after.trace}") { numSpans rootSpan { name cumulativeTokenCountTotal } } }`);
    expect(trace).toEqual({
      numSpans: after.spans.length,
      rootSpan: { name: 'run', cumulativeTokenCountTotal: tokens },
    });
  });

  it('shows messages and arguments if the template captures content', async () => {
    const told = await contentRun(address);
    const spans = await inPhoenix(told, told.spans.length);
    expectWhole(spans, told.spans);
    const call = spans.find(({ span_kind: kind }) => kind === 'LLM');
    expect(JSON.stringify(call?.attributes)).toContain('Say what it is.');
    const tool = spans.find(({ name }) => name === 'execute_tool door.tell');
    expect(JSON.stringify(tool?.attributes)).toContain('the moon');
  });

  it('shows child runs in the trace of their caller', async () => {
    const told = await withChildren(address);
    expect(told.spans.filter(({ kind }) => kind === 'run')).toHaveLength(3);
    expectWhole(await inPhoenix(told, told.spans.length), told.spans);
  });

  it('loses no span of 3,000 steps', async () => {
    const told = await manySteps(address, 'http');
    expectWhole(await inPhoenix(told, told.spans.length), told.spans);
  });
});
