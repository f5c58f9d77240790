// Log lines of steps: kept with the attempt, bounded, redacted, and no part of the journal.
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CallContext, defineCapability } from '../../src/capabilities/capability.ts';
import { CapabilityError } from '../../src/capabilities/capability-error.ts';
import type { KeptLogLine, LogLine } from '../../src/engine/record/log-line.ts';
import type { DriveOptions } from '../../src/runtime/api/engine.ts';
import { emptyMemory, openMemoryJournal } from '../../src/store/memory-journal.ts';
import { engineOf, good, pathTo } from './set-up.ts';

type Body = (ctx: CallContext, input: { readonly item?: number }) => unknown;

/** A template whose steps call one capability, which does this. */
function workThat(body: Body) {
  return defineCapability({
    name: 'work',
    description: 'Logs.',
    effects: ['compute'],
    run: async (input, ctx) => {
      await body(ctx, input as { readonly item?: number });
      return { done: true };
    },
  });
}

const one = { reconverge: 1, name: 'one', steps: [{ name: 'a', handler: 'work' }] };

interface Logged {
  readonly run: string;
  readonly kept: readonly KeptLogLine[];
  readonly heard: readonly LogLine[];
  readonly events: string;
}

async function loggedBy(
  body: Body,
  template: object = one,
  surroundings: Readonly<Record<string, string>> = {},
  options: DriveOptions = {},
): Promise<Logged> {
  const heard: LogLine[] = [];
  const engine = engineOf({ capabilities: [workThat(body)], surroundings, journal: openMemoryJournal() });
  const loaded = good(await engine.load(template as never));
  const handle = good(await engine.start(loaded, { ...options, onLogs: (lines) => heard.push(...lines) }));
  await handle.done;
  await new Promise((resolve) => setTimeout(resolve, 0));
  const kept = good(engine.logs(handle.id));
  return { run: handle.id, kept, heard, events: JSON.stringify(good(engine.read(handle.id)).events) };
}

const textsOf = (lines: readonly LogLine[]): readonly string[] => lines.map(({ message }) => message);

describe('log lines of a step', () => {
  it('are kept with their run, step, attempt, level and attributes, and the journal holds none of them', async () => {
    let tries = 0;
    const retried = { ...one, steps: [{ name: 'a', handler: 'work', retry: { max_attempts: 2, backoff: 'none' } }] };
    const { run, kept, heard, events } = await loggedBy(({ log, attempt }) => {
      tries += 1;
      log(`try ${attempt}`, { tries });
      log.from('helper').error('gone');
      if (attempt === 1) throw new CapabilityError('HTTP_FAILED', 'once more');
    }, retried);
    const [at, traceparent] = [expect.any(Number), expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)];
    expect(kept).toEqual([
      { number: 1, run, step: 'a', attempt: 1, at, level: 'info', message: 'try 1', data: { tries: 1 }, traceparent },
      { number: 2, run, step: 'a', attempt: 1, at, level: 'error', source: 'helper', message: 'gone', traceparent },
      { number: 3, run, step: 'a', attempt: 2, at, level: 'info', message: 'try 2', data: { tries: 2 }, traceparent },
      { number: 4, run, step: 'a', attempt: 2, at, level: 'error', source: 'helper', message: 'gone', traceparent },
    ]);
    expect(heard).toEqual(kept.map(({ number: _, ...line }) => line));
    expect(events).not.toContain('try 1');
  });

  it('are read by step, attempt, level and number', async () => {
    const engine = engineOf({
      capabilities: [
        workThat(({ log, step }) => {
          log.debug(`${step} 1`);
          log.warn(`${step} 2`);
        }),
      ],
    });
    const steps = [
      { name: 'a', handler: 'work' },
      { name: 'b', handler: 'work', dependencies: ['a'] },
    ];
    const handle = good(await engine.start(good(await engine.load({ reconverge: 1, name: 'two', steps }))));
    await handle.done;
    await engine.close();
    const later = engineOf();
    const read = (...given: Parameters<typeof later.logs>): readonly string[] => textsOf(good(later.logs(...given)));
    expect(read('latest')).toEqual(['a 1', 'a 2', 'b 1', 'b 2']);
    expect(read('latest', { step: 'b' })).toEqual(['b 1', 'b 2']);
    expect(read('latest', { level: 'info' })).toEqual(['a 2', 'b 2']);
    expect(read('latest', { attempt: 2 })).toEqual([]);
    expect(read('latest', { after: 3 })).toEqual(['b 2']);
    expect(read('latest', { first: 1 })).toEqual(['a 1']);
    expect(read('latest', { last: 3, level: 'warn' })).toEqual(['a 2', 'b 2']);
    expect(later.logs('nobody')).toMatchObject({ ok: false, error: [{ code: 'RUN_UNKNOWN' }] });
  });

  it('name the item of a fan-out that wrote them', async () => {
    const fan = {
      reconverge: 1,
      name: 'fan',
      steps: [
        { name: 'each', type: 'fan_out', for_each: [1, 2], do: { handler: 'work', input: { item: '{{ item }}' } } },
      ],
    };
    const { kept } = await loggedBy(({ log }, { item }) => log(`item ${item}`), fan);
    expect(kept.map(({ step, message }) => `${step}: ${message}`).sort()).toEqual([
      expect.stringMatching(/^each.+: item 1$/),
      expect.stringMatching(/^each.+: item 2$/),
    ]);
  });

  it('are kept even if their handler goes on after its end', async () => {
    let later: CallContext['log'] | undefined;
    const memory = emptyMemory();
    const engine = engineOf({
      capabilities: [
        workThat(({ log }) => {
          later = log;
        }),
      ],
      journal: openMemoryJournal({ memory }),
    });
    const handle = good(await engine.start(good(await engine.load(one))));
    await handle.done;
    later?.('and another thing');
    await new Promise((resolve) => setTimeout(resolve, 0));
    await engine.close();
    later?.('too late for this engine');
    const reader = engineOf({ journal: openMemoryJournal({ memory }) });
    expect(textsOf(good(reader.logs(handle.id)))).toEqual(['and another thing']);
  });
});

describe('secrets in log lines', () => {
  const surroundings = { HUB: 'hush-hush-hush', API_TOKEN: 'tok-123456' };

  it('are hidden by value and by the name of their variable, also in attributes', async () => {
    const { kept, heard } = await loggedBy(
      ({ log, secret }) => {
        log(`using ${secret('HUB')}`, { header: `Bearer ${secret('HUB')}`, nested: [secret('HUB')] });
        log('env has tok-123456');
      },
      one,
      surroundings,
    );
    expect(textsOf(kept)).toEqual(['using ***', 'env has ***']);
    expect(kept[0]?.data).toEqual({ header: 'Bearer ***', nested: ['***'] });
    expect(JSON.stringify(heard)).not.toContain('hush');
  });

  it('are hidden when several lines hold one together, and when a message is cut in one', async () => {
    const key = [
      '-----BEGIN KEY-----',
      'MIIBVgIBADANBgkqhkiG9w0BAQEFAASC',
      'AUAwggE8AgEAAkEAq7BFUpkGp3',
      '-----END KEY-----',
    ];
    const { kept } = await loggedBy(
      ({ log, secret }) => {
        const lines = secret('KEY').split('\n');
        log('the key is');
        for (const line of lines) log(line);
        log('all said');
        for (const line of Buffer.from(`xx${secret('HUB')}`.repeat(8))
          .toString('base64')
          .match(/.{1,60}/g) ?? [])
          log(line);
        log(`${'x'.repeat(7_994)}${secret('HUB')}`);
      },
      one,
      { ...surroundings, KEY: key.join('\n') },
    );
    const all = JSON.stringify(kept);
    for (const line of key) expect(all).not.toContain(line);
    expect(textsOf(kept).slice(0, 3)).toEqual(['the key is', '***', 'all said']);
    expect(all).not.toContain('hush');
    expect(all).not.toContain(Buffer.from('hush-hush-hush').toString('base64').slice(2, -4));
  });
});

describe('the limits of logs', () => {
  it('keep the first and the last lines of an attempt, and say once how many are left out', async () => {
    const { kept } = await loggedBy(({ log }) => {
      for (let n = 1; n <= 6_000; n += 1) log(`line ${n}`);
    });
    expect(kept).toHaveLength(5_051);
    expect(kept[4_999]?.message).toBe('line 5000');
    expect(kept[5_000]).toMatchObject({
      level: 'warn',
      source: 'reconverge',
      message:
        '950 lines left out here, 8550 characters: the log of an attempt keeps 5000 lines and 1000000 characters, and the last 50 of a call',
    });
    expect(kept[5_001]?.message).toBe('line 5951');
    expect(kept.at(-1)?.message).toBe('line 6000');
  });

  it('hold for the characters of an attempt too', async () => {
    const { kept } = await loggedBy(({ log }) => {
      for (let n = 0; n < 300; n += 1) log('x'.repeat(5_000));
    });
    expect(kept).toHaveLength(251);
    expect(kept[200]?.message).toMatch(/^50 lines left out here, 250000 characters: /);
  });
});

describe('the log of an attempt', () => {
  it('has the lines of a handler in a thread, and the texts that it prints', async () => {
    writeFileSync(
      pathTo('apart.mjs'),
      `export const talk = { [Symbol.for('reconverge.capability')]: true, issues: [],
        isolation: { memory: 512_000_000 },
        declaration: { name: 'talk', description: 'Talks.', effects: ['compute'], tags: [], cost: {} },
        run: (_, ctx) => { ctx.log.warn('from the thread', { n: 1 }); console.error('printed'); return {}; } };`,
    );
    const engine = engineOf({ capabilities: [] });
    const template = {
      reconverge: 1,
      name: 'apart',
      capabilities: [{ module: { file: './apart.mjs', isolate: 'thread' } }],
      steps: [{ name: 'a', handler: 'talk' }],
    };
    const handle = good(await engine.start(good(await engine.load(template))));
    await handle.done;
    await engine.close();
    expect(good(engineOf().logs(handle.id))).toMatchObject([
      { step: 'a', level: 'warn', message: 'from the thread', data: { n: 1 } },
      { step: 'a', level: 'info', source: 'stderr', message: 'printed' },
    ]);
  });

  it('has the standard error of a program, line by line', async () => {
    const engine = engineOf({ capabilities: [] });
    const template = {
      reconverge: 1,
      name: 'shell',
      capabilities: ['shell.run'],
      roots: ['.'],
      steps: [
        { name: 'a', handler: 'shell.run', input: { program: 'sh', args: ['-c', 'echo one >&2; printf two >&2'] } },
      ],
    };
    const loaded = await engine.load(template);
    const handle = good(await engine.start(good(loaded)));
    await handle.done;
    await engine.close();
    expect(good(engineOf().logs(handle.id)).map(({ source, message }) => `${source}: ${message}`)).toEqual([
      'stderr: one',
      'stderr: two',
    ]);
  });
});
