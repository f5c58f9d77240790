// Tests of the public types: the compiler reports a wrong use of the library before a program runs.
import { describe, expectTypeOf, it } from 'vitest';
import {
  type CallContext,
  createEngine,
  defineCapability,
  defineTemplate,
  type Engine,
  type Failure,
  type Json,
  type JsonObject,
  openMemoryJournal,
  type PlanOutcome,
  type Recorded,
  type Result,
  type RunHandle,
  type RunId,
  type Template,
} from '../src/index.ts';
import { journalSuite, type ScriptedModel, scriptedModel } from '../src/testing/index.ts';

declare const engine: Engine;

const counting = defineTemplate({
  reconverge: 1,
  name: 'count',
  input: '{path :string, limit :int?}',
  output: '{{ results.count }}',
  capabilities: ['catalog'],
  steps: [
    { name: 'count', handler: 'text.count', input: { path: '{{ input.path }}' }, output: '{words :int, lines :int}' },
    { name: 'other', type: 'compute', expr: '(+ 1 1)', output: { type: 'integer' } },
  ],
});

describe('a template from defineTemplate', () => {
  it('types the input and the output of its runs', async () => {
    const loaded = await engine.load(counting);
    if (!loaded.ok) return;
    expectTypeOf(loaded.value).toExtend<Template>();
    const started = await engine.start(loaded.value, { input: { path: 'a.txt', limit: 3 } });
    if (!started.ok) return;
    const { output } = await started.value.done;
    expectTypeOf(output).toEqualTypeOf<{ readonly words: number; readonly lines: number } | null>();
  });

  it('refuses an input that breaks its contract', async () => {
    const loaded = await engine.load(counting);
    if (!loaded.ok) return;
    // @ts-expect-error: the path must be a string
    void engine.start(loaded.value, { input: { path: 7 } });
    // @ts-expect-error: the contract has no key `depth`
    void engine.start(loaded.value, { input: { path: 'a', depth: 1 } });
    // @ts-expect-error: the path is missing
    void engine.start(loaded.value, { input: {} });
  });

  it('types the handle of a run that is resumed, forked or ordered by its id', async () => {
    const loaded = await engine.load(counting);
    if (!loaded.ok) return;
    const started = await engine.start(loaded.value, { input: { path: 'a.txt' } });
    if (!started.ok) return;
    const { id } = started.value;
    type Counted = RunHandle<{ readonly words: number; readonly lines: number }>;
    expectTypeOf(id).toExtend<string>();
    expectTypeOf(engine.resume(id)).resolves.toEqualTypeOf<Result<Counted>>();
    expectTypeOf(engine.fork(id, { event: 1 }, { why: 'to see' })).resolves.toEqualTypeOf<Result<Counted>>();
    const ordered = await engine.order(id, { type: 'resume', by: 'ann' });
    if (ordered.ok) expectTypeOf(ordered.value.handle).toEqualTypeOf<Counted | undefined>();
    expectTypeOf(engine.resume('latest')).resolves.toEqualTypeOf<Result<RunHandle>>();
    expectTypeOf(engine.fork('latest', { event: 1 }, { template: loaded.value })).resolves.toEqualTypeOf<
      Result<Counted>
    >();
    const another = {} as Template;
    const untyped = engine.fork(id, { event: 1 }, { template: another });
    expectTypeOf(untyped).resolves.toEqualTypeOf<Result<RunHandle>>();
    const kept: RunId<{ readonly words: number; readonly lines: number }> = 'k2m9';
    expectTypeOf(engine.resume(kept)).resolves.toEqualTypeOf<Result<Counted>>();
  });

  it('without an output contract has runs with any JSON as output', async () => {
    const silent = defineTemplate({ reconverge: 1, name: 'x', steps: [{ name: 'a', type: 'compute', expr: '1' }] });
    const loaded = await engine.load(silent);
    if (!loaded.ok) return;
    const started = await engine.start(loaded.value);
    if (started.ok) expectTypeOf((await started.value.done).output).toEqualTypeOf<Json>();
  });
});

describe('an engine', () => {
  it('loads a path or a document, and promises JSON as output', () => {
    expectTypeOf(engine.load('a.yaml')).resolves.toEqualTypeOf<Result<Template>>();
    const document: JsonObject = {};
    expectTypeOf(engine.load(document)).resolves.toExtend<Result<Template>>();
    expectTypeOf<Template>().toExtend<Parameters<Engine['start']>[0]>();
    expectTypeOf<RunHandle['events']>().toEqualTypeOf<AsyncIterable<Recorded>>();
  });

  it('runs a mission with functions of its caller as tools', () => {
    const outcome = engine.run('Compare the prices', {
      availableTools: { fetch_price: 'Fetch a price. Input: {symbol}. Output: {symbol, price}' },
      baseTools: {
        fetch_price: async ({ symbol }: { symbol: string }, ctx: CallContext) => ({ symbol, key: ctx.idempotencyKey }),
      },
      onEvent: ({ event }) => expectTypeOf(event.type).toExtend<string>(),
    });
    expectTypeOf(outcome).resolves.toEqualTypeOf<Result<PlanOutcome>>();
  });

  it('returns outcomes that their status discriminates', () => {
    const outcome = {} as PlanOutcome;
    if (outcome.status === 'failed') expectTypeOf(outcome.reason).toEqualTypeOf<Failure>();
    // @ts-expect-error: only a failed outcome has a reason
    if (outcome.status === 'completed') void outcome.reason;
  });
});

describe('a capability', () => {
  it('has a handler that its contracts type', () => {
    defineCapability({
      name: 'my.greet',
      description: 'Greets.',
      input: '{name :string, times :int?}',
      output: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
      effects: ['pure'],
      run: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ readonly name: string; readonly times?: number }>();
        return { text: input.name };
      },
    });
    defineCapability({
      name: 'my.greet',
      description: 'Greets.',
      output: '{text :string}',
      effects: ['pure'],
      // @ts-expect-error: the output contract promises a string
      run: () => ({ text: 1 }),
    });
  });
});

it('the public functions have their documented types', () => {
  expectTypeOf(scriptedModel).returns.toExtend<ScriptedModel>();
  expectTypeOf(journalSuite).parameters.toExtend<readonly unknown[]>();
  expectTypeOf(createEngine).returns.toEqualTypeOf<Engine>();
  expectTypeOf(openMemoryJournal).toBeFunction();
});
