// The engine over a real store: whole runs, orders from other processes, resumed runs, and secrets that stay out of the store.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { Clock } from '../../src/runtime/ports/clock.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { templateOf, work } from '../engine/template-of.ts';
import { patience } from '../patience.ts';
import { answer, codes, engineOf, gated, good, pathTo } from './set-up.ts';

const chain = templateOf({ steps: [{ name: 'a' }, { name: 'b', after: ['a'] }, { name: 'c', after: ['b'] }] });

/** A clock that advances with each reading, and whose timers fire only if they are 10 ms or shorter. */
function restless(): Clock {
  let time = 0;
  return {
    now: () => ++time,
    wake: (after, callback) => {
      if (after > 10) return () => undefined;
      const timer = setImmediate(() => {
        time += after;
        callback();
      });
      return () => clearImmediate(timer);
    },
  };
}

describe.each([
  ['a SQLite file', () => ({})],
  ['memory', () => ({ journal: openMemoryJournal() })],
])('a run over %s', (_, journal) => {
  it('runs to its end, and can be read afterwards', async () => {
    const engine = engineOf({ ...journal(), capabilities: [answer] });
    const handle = good(await engine.start(chain));
    const report = await handle.done;
    expect(report).toMatchObject({
      run: handle.id,
      status: 'completed',
      partial: false,
      output: { c: { n: 1 } },
      spent: { steps: 3, tool_calls: 3 },
    });
    const record = good(engine.read(handle.id.slice(0, 5)));
    expect(record.state.status).toBe('ended');
    expect(record.events.at(-1)?.event.type).toBe('run.ended');
    const graph = good(engine.graph(handle.id));
    expect(graph.mapOutNeighbors(graph.keyOf('a'), (_key, { id, status }) => [id, status])).toEqual([
      ['b', 'completed'],
    ]);
    expect(codes(engine.graph('nowhere'))).toEqual(['RUN_UNKNOWN']);
    expect(engine.runs()).toMatchObject([
      { id: handle.id, template: 'test', status: 'completed', driven: false, spent: { steps: 3 } },
    ]);
  });

  it('passes each batch of events to its listener in order, after the batch is durable', async () => {
    const engine = engineOf({ ...journal(), capabilities: [answer] });
    const seen: number[] = [];
    const started: { id?: string } = {};
    const handle = good(
      await engine.start(chain, {
        onEvents: (events) => {
          seen.push(...events.map(({ version }) => version));
          if (started.id !== undefined)
            expect(good(engine.read(started.id)).events.length).toBeGreaterThanOrEqual(seen.length);
        },
      }),
    );
    started.id = handle.id;
    await handle.done;
    expect(seen).toEqual(seen.map((_version, index) => index + 1));
  });
});

describe('the graph of a run', () => {
  it('follows the run while the engine drives it, and refuses writes', async () => {
    const engine = engineOf({ capabilities: [answer] });
    const handle = good(await engine.start(chain));
    const graph = good(engine.graph(handle.id));
    const statuses = (): readonly string[] => graph.mapNodes((_key, { status }) => status);
    expect(good(engine.graph(handle.id))).toBe(graph);
    await handle.done;
    expect(statuses()).toEqual(['completed', 'completed', 'completed']);
    // @ts-expect-error only events change a run
    expect(() => graph.dropNode(graph.keyOf('a'))).toThrow('write to a copy: graph.copy()');
    // @ts-expect-error a step is read-only
    const write = (): string => (graph.getNodeAttributes('0').status = 'failed');
    expect(write).toBeTypeOf('function');
  });
});

describe('a handler', () => {
  it('that throws fails its step with the message of the error and no stack', async () => {
    const broken = defineCapability({
      name: 'work',
      description: 'Breaks.',
      effects: ['compute'],
      run: () => {
        throw new Error('the disk is on fire');
      },
    });
    const engine = engineOf({ capabilities: [broken] });
    const report = await good(await engine.start(templateOf({ steps: [{ name: 'a' }] }))).done;
    expect(report).toMatchObject({
      status: 'failed',
      failure: { code: 'CAPABILITY_THREW', message: 'a: the disk is on fire' },
    });
  });

  it('that throws an unreadable value fails only its own step, even if the listener of its log throws', async () => {
    const broken = defineCapability({
      name: 'work',
      description: 'Breaks.',
      effects: ['compute'],
      run: (_, { step, log }) => {
        log('hello');
        if (step !== 'a') return { n: 1 };
        const { proxy, revoke } = Proxy.revocable(new Error('x'), {});
        revoke();
        throw proxy;
      },
    });
    const onLog = (): void => {
      throw new Error('ENOSPC: the terminal is full');
    };
    const engine = engineOf({ capabilities: [broken], onLog });
    const run = good(await engine.start(templateOf({ steps: [{ name: 'a' }, { name: 'b' }] })));
    const report = await run.done;
    expect(report).toMatchObject({ status: 'failed', failure: { code: 'CAPABILITY_THREW' } });
    expect(good(engine.read(run.id)).state.steps.get('b')?.status).toBe('completed');
  });

  it('that asks for its own thread must come from a module', async () => {
    const apart = defineCapability({
      name: 'work',
      description: 'Wants to be alone.',
      effects: ['compute'],
      isolate: 'thread',
      run: () => ({ n: 1 }),
    });
    const document = { reconverge: 1, name: 'a', steps: [{ name: 'a', handler: 'work' }] };
    expect(codes(await engineOf({ capabilities: [apart] }).load(document))).toEqual(['ISOLATION_WITHOUT_MODULE']);
    expect(codes(await engineOf({ capabilities: [] }).load(document, { capabilities: [apart] }))).toEqual([
      'ISOLATION_WITHOUT_MODULE',
    ]);
    const started = await engineOf({ capabilities: [apart] }).start(templateOf({ steps: [{ name: 'a' }] }));
    expect(codes(started)).toEqual(['ISOLATION_WITHOUT_MODULE']);
  });

  it('that does not answer is stopped at the timeout of its step', async () => {
    const { capability, calls } = gated();
    const engine = engineOf({ capabilities: [capability] });
    const report = await good(await engine.start(templateOf({ steps: [{ name: 'a', timeout: 20 }] }))).done;
    expect(report.failure?.code).toBe('STEP_TIMEOUT');
    expect(calls()).toBe(1);
  });

  it('receives its key, the number of the attempt, and why the last attempt failed its verification', async () => {
    const seen: unknown[] = [];
    const telling = defineCapability({
      name: 'work',
      description: 'Tells.',
      effects: ['compute'],
      run: (_, { attempt, feedback, idempotencyKey }) => {
        seen.push({ attempt, feedback, key: idempotencyKey.split('/')[1] });
        return { n: attempt };
      },
    });
    const engine = engineOf({ capabilities: [telling] });
    const verification = { $lisp: '(if (> (get data/result "n") 1) true "too little")' };
    const retry = { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const template = templateOf({ steps: [{ name: 'a', verification, onVerificationFailure: 'retry', retry }] });
    expect((await good(await engine.start(template)).done).status).toBe('completed');
    expect(seen).toEqual([
      { attempt: 1, feedback: undefined, key: 'a#1' },
      { attempt: 2, feedback: 'too little', key: 'a#2' },
    ]);
  });
});

describe('orders from another process', () => {
  it('cancel a run that the first process drives', async () => {
    const { capability, begun } = gated();
    const driving = engineOf({ capabilities: [capability] });
    const elsewhere = engineOf({ capabilities: [capability] });
    const handle = good(await driving.start(chain));
    await begun;
    expect(elsewhere.runs()).toMatchObject([{ id: handle.id, status: 'running', driven: true }]);
    good(await elsewhere.order(handle.id, { type: 'cancel', by: 'ada', why: 'enough' }));
    expect((await handle.done).status).toBe('cancelled');
    const cancelling = good(elsewhere.read(handle.id)).events.find(({ event }) => event.type === 'run.cancelling');
    expect(cancelling?.event).toMatchObject({ by: 'ada', why: 'enough' });
  });

  it('cancel a run that no process drives any more', async () => {
    const { capability, begun, calls } = gated();
    const engine = engineOf({ capabilities: [capability] });
    const handle = good(await engine.start(chain));
    await begun;
    handle.stop();
    handle.stop();
    expect((await handle.done).status).toBe('interrupted');
    good(await engine.order('latest', { type: 'cancel', by: 'ada' }));
    expect(good(engine.read(handle.id)).state.ended?.status).toBe('cancelled');
    expect(calls()).toBe(1);
  });

  it('are refused for a run that has ended or is unknown', async () => {
    const engine = engineOf({ capabilities: [answer] });
    const handle = good(await engine.start(chain));
    await handle.done;
    expect(codes(await engine.order(handle.id, { type: 'cancel', by: 'ada' }))).toEqual(['RUN_ENDED']);
    expect(codes(await engine.order('nobody', { type: 'cancel', by: 'ada' }))).toEqual(['RUN_UNKNOWN']);
    expect(codes(await engine.resume(handle.id))).toEqual(['RUN_ENDED']);
  });
});

describe('a run that was stopped', () => {
  it('lets its running step end, and continues with the next step when it is resumed', async () => {
    const { capability, begun, open, calls } = gated();
    const engine = engineOf({ capabilities: [capability] });
    const handle = good(await engine.start(chain));
    await begun;
    handle.stop();
    open();
    expect((await handle.done).status).toBe('interrupted');
    expect(good(engine.read(handle.id)).state.steps.get('a')?.status).toBe('completed');
    const report = await good(await engine.resume(handle.id)).done;
    expect(report.status).toBe('completed');
    expect(calls()).toBe(3);
  });

  it('by a pause continues when it is resumed', async () => {
    const { capability, begun, open } = gated();
    const engine = engineOf({ capabilities: [capability] });
    const handle = good(await engine.start(chain));
    await begun;
    good(await engineOf({ capabilities: [capability] }).order(handle.id, { type: 'pause', by: 'ada' }));
    await vi.waitFor(() => expect(good(engine.read(handle.id)).state.status).toBe('paused'), patience);
    open();
    expect((await handle.done).status).toBe('paused');
    expect((await good(await engine.resume(handle.id)).done).status).toBe('completed');
  });

  it('continues in its own process when another process resumes it before its running step ends', async () => {
    const { capability, begun, open } = gated();
    const engine = engineOf({ capabilities: [capability] });
    const other = engineOf({ capabilities: [capability] });
    const handle = good(await engine.start(chain));
    await begun;
    good(await other.order(handle.id, { type: 'pause', by: 'ada' }));
    expect(good(await other.order(handle.id, { type: 'resume', by: 'ada' })).handle).toBeUndefined();
    expect(good(engine.read(handle.id)).state.status).toBe('running');
    open();
    expect((await handle.done).status).toBe('completed');
  });

  it('cannot be driven by two engines at once', async () => {
    const { capability, begun, open } = gated();
    const handle = good(await engineOf({ capabilities: [capability] }).start(chain));
    await begun;
    expect(codes(await engineOf({ capabilities: [capability] }).resume(handle.id))).toEqual(['RUN_DRIVEN']);
    open();
    await handle.done;
  });
});

describe('a secret', () => {
  it('reaches its capability, but neither the store, nor the output, nor an error', async () => {
    const secret = 'hunter2-is-my-secret';
    const seen: unknown[] = [];
    const leaky = defineCapability({
      name: 'work',
      description: 'Echoes.',
      effects: ['compute'],
      run: (input) => {
        seen.push(input);
        if (JSON.stringify(input).includes('throw')) throw new Error(`cannot log in with ${secret}`);
        return { echoed: input };
      },
    });
    const engine = engineOf({ capabilities: [leaky], surroundings: { TOKEN: secret } });
    const input = { token: '${secret.TOKEN}' };
    const template = templateOf({
      steps: [
        { name: 'a', input },
        { name: 'b', input: { ...input, what: 'throw' } },
      ],
    });
    const report = await good(await engine.start(template)).done;
    await engine.close();
    expect(seen[0]).toEqual({ token: secret });
    expect(JSON.stringify(report)).not.toContain(secret);
    expect(JSON.stringify(report)).toContain('***');
    for (const ending of ['', '-wal']) {
      const bytes = tryRead(pathTo('.reconverge', `runs.db${ending}`));
      expect(bytes.includes(secret)).toBe(false);
    }
  });

  it('is not filled in where the result of a step contains its name', async () => {
    const seen: unknown[] = [];
    const leaky = defineCapability({
      name: 'work',
      description: 'Brings data from elsewhere.',
      effects: ['compute'],
      run: (input) => {
        seen.push(input);
        return { page: 'send ${secret.TOKEN} here' };
      },
    });
    const engine = engineOf({ capabilities: [leaky], surroundings: { TOKEN: 'hunter2-is-my-secret' } });
    const steps = [{ name: 'a' }, { name: 'b', after: ['a'], input: { text: '{{ results.a.page }}' } }];
    await good(await engine.start(templateOf({ steps }))).done;
    expect(seen[1]).toEqual({ text: 'send ${secret.TOKEN} here' });
  });

  it('is filled in for a step of a rule only if the source of the rule spells its name', async () => {
    const seen: unknown[] = [];
    const leaky = defineCapability({
      name: 'work',
      description: 'Brings data from elsewhere.',
      effects: ['compute'],
      run: (input) => {
        seen.push(input);
        return { page: '${secret.TOKEN}' };
      },
    });
    const engine = engineOf({ capabilities: [leaky], surroundings: { TOKEN: 'hunter2', OTHER: 'hunter3' } });
    const planner = (source: string) => ({ kind: 'lisp' as const, source: { $lisp: source } });
    const planned = (source: string) =>
      templateOf({
        steps: [
          { name: 'a' },
          { name: 'plan', after: ['a'], planning: { target: 'end', planner: planner(source), needs: [{ step: 'a' }] } },
          { name: 'end', type: 'deferred', after: ['plan'] },
        ],
      });
    const step = (text: string) => `{:steps [{:name "b" :capability "work" :input {:text ${text}}}]}`;
    await good(await engine.start(planned(step('"${secret.TOKEN}"')))).done;
    await good(await engine.start(planned(step('(str "${secret." "OTHER}")')))).done;
    expect(seen).toEqual([{}, { text: 'hunter2' }, {}, { text: '${secret.OTHER}' }]);
  });

  it('that is not set fails its step, and the message names the variable', async () => {
    const engine = engineOf({ capabilities: [answer], surroundings: {} });
    const report = await good(
      await engine.start(templateOf({ steps: [{ name: 'a', input: { token: '${secret.TOKEN}' } }] })),
    ).done;
    expect(report.failure).toMatchObject({ code: 'SECRET_MISSING', message: expect.stringContaining('TOKEN') });
  });
});

function tryRead(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

describe('a budget given for one run', () => {
  it('may lower limits freely, and raises limits only with `raise`', async () => {
    const engine = engineOf({ capabilities: [answer] });
    expect(codes(await engine.start(chain, { budget: { max_total_steps: '500' } }))).toEqual(['BUDGET_LOOSENED']);
    const loose = { max_cost_budget: '$7.5', max_wall_clock_time: '90m', max_fan_out: '20' };
    const refused = await engine.start(chain, { budget: loose });
    expect(refused.ok ? [] : refused.error.map(({ message }) => message)).toEqual([
      '"max_cost_budget" would be $7.50 where the template allows $5.00',
      '"max_wall_clock_time" would be 1h 30m where the template allows 30m',
      '"max_fan_out" would be 20 where the template allows 10',
    ]);
    expect(codes(await engine.start(chain, { budget: { max_total_stepz: '5' } }))).toEqual(['BUDGET_KEY_UNKNOWN']);
    expect(codes(await engine.start(chain, { budget: { max_cost_budget: 'much' } }))).toEqual([
      'BUDGET_VALUE_UNREADABLE',
    ]);
    const handle = good(
      await engine.start(chain, { budget: { max_total_steps: '500', max_cost_budget: '$1.50' }, raise: true }),
    );
    await handle.done;
    expect(good(engine.read(handle.id)).template.budget.limit).toMatchObject({ steps: 500, cost_usd: 1_500_000 });
  });
});

describe('input that breaks its contract', () => {
  it('is refused before a run starts', async () => {
    const template = {
      ...chain,
      input: { type: 'object', required: ['folder'], properties: { folder: { type: 'string' } } },
    };
    const engine = engineOf({ capabilities: [answer] });
    const refused = await engine.start(template, { input: { folder: 7 } });
    expect(codes(refused)).toEqual(['INPUT_INVALID']);
    expect(engine.runs()).toEqual([]);
  });
});

describe('a capability that many steps use at once', () => {
  it('never has more calls under way than its concurrency key allows', async () => {
    let now = 0;
    let most = 0;
    const counting = defineCapability({
      name: 'work',
      description: 'Counts.',
      effects: ['compute'],
      run: async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
        return {};
      },
    });
    const steps = Array.from({ length: 12 }, (_, i) => ({ name: `s${i}`, concurrencyKey: 'api' }));
    const template = {
      ...templateOf({ steps, capabilities: [work] }),
      concurrency: { max: 10, keys: { api: { max: 2 } } },
    };
    const engine = engineOf({ capabilities: [counting] });
    expect((await good(await engine.start(template)).done).status).toBe('completed');
    expect(most).toBe(2);
  });
});

describe('a module of the user', () => {
  it.each([
    ['missing.ts', 'MODULE_NOT_FOUND'],
    ['broken.ts', 'MODULE_BROKEN'],
  ])('that cannot be loaded is an issue at its line: %s', async (name, code) => {
    writeFileSync(pathTo('broken.ts'), 'export const = 1;');
    writeFileSync(
      pathTo('t.yaml'),
      `reconverge: 1\nname: t\ncapabilities: [catalog, ./${name}]\nsteps:\n  - name: a\n    handler: files.list\n    input: { folder: . }\n`,
    );
    const loaded = await engineOf().load('t.yaml');
    expect(loaded.ok ? [] : loaded.error).toMatchObject([
      { code: expect.stringMatching(code === 'MODULE_BROKEN' ? /^MODULE_/ : code), place: { file: 't.yaml', line: 3 } },
    ]);
  });
});

describe('retries', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'begin even if they become due while the driver decides to wait: after %i ms',
    async (base) => {
      const failing = defineCapability({
        name: 'work',
        description: 'Fails the first time.',
        effects: ['compute'],
        run: (_, { attempt }) => {
          if (attempt === 1) throw new Error('not yet');
          return { attempt };
        },
      });
      const engine = engineOf({ journal: openMemoryJournal(), capabilities: [failing], clock: restless() });
      const retry = { maxAttempts: 2, backoff: 'none', base, max: base, jitter: 0 } as const;
      const handle = good(await engine.start(templateOf({ steps: [{ name: 'a', onFailure: 'retry', retry }] })));
      expect(await handle.done).toMatchObject({ status: 'completed', output: { a: { attempt: 2 } } });
    },
  );
});

describe('a compute step', () => {
  const limits = { lisp: { fuel: 1e12 }, resultBytes: 10_000_000 };

  it('ends at its timeout when its fuel would last longer', async () => {
    const steps = [{ name: 'long', type: 'compute', expr: { $lisp: '(loop [] (recur))' }, timeout: 50 }] as const;
    const report = await good(await engineOf().start({ ...templateOf({ steps }), limits })).done;
    expect(report).toMatchObject({ status: 'failed', failure: { message: expect.stringContaining('50 ms') } });
  });

  it('fails when its serialized result exceeds the limit, although the result is small in memory', async () => {
    const expr = { $lisp: '(reduce (fn [a b] [a a]) [] (range 40))' };
    const steps = [{ name: 'shared', type: 'compute', expr }] as const;
    const report = await good(await engineOf().start(templateOf({ steps }))).done;
    expect(report).toMatchObject({ status: 'failed', failure: { message: expect.stringContaining('10000000') } });
  });
});
