// Capabilities in threads: all of their context, their ends, and what they cannot do to the process.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import type { Failure } from '../../../src/base/failure.ts';
import type { Json } from '../../../src/base/json.ts';
import type { Result } from '../../../src/base/result.ts';
import { callCapability } from '../../../src/capabilities/call.ts';
import type { CallContext, Capability } from '../../../src/capabilities/capability.ts';
import { CapabilityError } from '../../../src/capabilities/capability-error.ts';
import { confine } from '../../../src/capabilities/file-access.ts';
import { logTo } from '../../../src/capabilities/log.ts';
import { loadModule } from '../../../src/capabilities/module.ts';
import { threadPool } from '../../../src/capabilities/thread/pool.ts';
import { root } from '../../sources.ts';
import { contextIn, folderWith } from '../workbench.ts';

/** The package as a whole takes its time to load from source. */
const source = (name: string): string => pathToFileURL(join(root, `src/capabilities/${name}.ts`)).href;

const MEMORY = 256_000_000;

/** A module with one capability for each body, called as `x.NAME`, and how to call it. */
async function apart(bodies: Readonly<Record<string, string>>, memory = MEMORY) {
  const folder = await folderWith({
    'm.ts': `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { defineCapability } from '${source('capability')}';
import { CapabilityError } from '${source('capability-error')}';
${Object.entries(bodies)
  .map(
    ([name, body]) =>
      `export const ${name} = defineCapability({ name: 'x.${name}', description: 'A test.', effects: ['compute'],
  async run(input: any, ctx): Promise<any> { ${body} } });`,
  )
  .join('\n')}`,
  });
  const loaded = await loadModule('m.ts', folder, { memory });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const find = (name: string): Capability => {
    const found = loaded.value.find(({ declaration }) => declaration.name === `x.${name}`);
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };
  const call = (name: string, input: Json = {}, changes: Partial<CallContext> = {}): Promise<Result<Json, Failure>> =>
    callCapability(find(name), input, contextIn(folder, changes));
  return { folder, call };
}

async function appears(file: string): Promise<void> {
  while (!existsSync(file)) await pass(5);
}

const value = (called: Result<Json, Failure>): Json => (called.ok ? called.value : called.error.code);

describe('the context of a call in a thread', () => {
  it('holds the facts of the call, and returns secrets and variables synchronously', async () => {
    const { call } = await apart({
      tell: `return { input, attempt: ctx.attempt, delivery: ctx.delivery, key: ctx.idempotencyKey, feedback: ctx.feedback,
        run: ctx.run.id, step: ctx.step, attachments: ctx.attachments.length, aborted: ctx.signal.aborted,
        secret: ctx.secret('TOKEN'), home: ctx.env('HOME'), none: ctx.env('NONE') ?? null };`,
      miss: "try { return ctx.secret('GONE'); } catch (error) { return { code: error.code, isOurs: error instanceof CapabilityError }; }",
    });
    const asked: string[] = [];
    const changes: Partial<CallContext> = {
      attempt: 2,
      delivery: 3,
      feedback: 'too short',
      secret: (name) => {
        asked.push(name);
        if (name === 'GONE') throw new CapabilityError('SECRET_MISSING', 'it is not set');
        return 'hush';
      },
      env: (name) => (name === 'HOME' ? '/home/ada' : undefined),
    };
    expect(value(await call('tell', { a: 1 }, changes))).toEqual({
      ...{ input: { a: 1 }, attempt: 2, delivery: 3, key: 'run_1/step#1', feedback: 'too short', run: 'run_1' },
      ...{ step: 'step', attachments: 0, aborted: false, secret: 'hush', home: '/home/ada', none: null },
    });
    expect(value(await call('miss', {}, changes))).toEqual({ code: 'SECRET_MISSING', isOurs: true });
    expect(asked).toEqual(['TOKEN', 'GONE']);
  });

  it('reaches only files within the roots', async () => {
    const { call, folder } = await apart({
      work: `
        const written = await ctx.files.write('d/a.txt', 'one');
        await ctx.files.append('d/a.txt', 'two');
        await ctx.files.write('d/b.bin', new Uint8Array([1, 2, 3]));
        const read = await ctx.files.read('d/a.txt', 100);
        const { head, bytes } = await ctx.files.head('d/b.bin', 2);
        let streamed = 0;
        for await (const piece of await ctx.files.stream('big.txt', ctx.signal)) streamed += piece.length;
        const { files } = await ctx.files.list('d');
        const removed = [await ctx.files.remove('d/b.bin'), await ctx.files.remove('d/b.bin')];
        let outside;
        try { await ctx.files.read('/etc/passwd', 10); } catch (error) { outside = error.code; }
        return { written, read: read.toString('utf8'), isBuffer: Buffer.isBuffer(read), head: [...head], bytes, streamed,
          files: files.map(({ name }) => name).sort(), removed, resolved: await ctx.files.resolve('big.txt', 'read'), outside };`,
    });
    await confine(['.'], folder).write('big.txt', 'x'.repeat(300_000));
    expect(value(await call('work'))).toEqual({
      ...{ written: 3, read: 'one\ntwo\n', isBuffer: true, head: [1, 2], bytes: 3, streamed: 300_000 },
      ...{ files: ['a.txt', 'b.bin'], removed: [true, false], resolved: join(folder, 'big.txt') },
      outside: 'FILE_OUTSIDE_ROOTS',
    });
  });

  it('sends requests within the bounds of the template, and aborts a single one', async () => {
    const { call } = await apart({
      send: `
        const own = new AbortController();
        const given = { method: 'GET', url: 'http://a.test/', maxBytes: 10, timeout: 1000 };
        const first = ctx.http.send({ ...given, signal: own.signal }).catch((error) => error.code);
        own.abort();
        const second = await ctx.http.send({ ...given, signal: ctx.signal });
        return { first: await first, status: second.status, body: second.body.toString('utf8') };`,
    });
    const seen: unknown[] = [];
    const http: CallContext['http'] = {
      send: ({ signal, ...given }) => {
        seen.push(given);
        if (seen.length > 1)
          return Promise.resolve({ status: 200, url: given.url, headers: {}, body: Buffer.from('hello') });
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new CapabilityError('HTTP_ABORTED', 'given up'))),
        );
      },
    };
    expect(value(await call('send', {}, { http }))).toEqual({ first: 'HTTP_ABORTED', status: 200, body: 'hello' });
    expect(seen[0]).toEqual({ method: 'GET', url: 'http://a.test/', maxBytes: 10, timeout: 1000 });
  });

  it('logs any amount in order, and asks people', async () => {
    const { call } = await apart({
      talk: "for (let n = 0; n < 20_000; n += 1) ctx.log(String(n)); return ctx.clarify('Which year?', ':int', 'year');",
    });
    const logged: string[] = [];
    expect(value(await call('talk', {}, { log: logTo(({ message }) => logged.push(message)) }))).toEqual({
      needs_clarification: { question: 'Which year?', answer: ':int', as: 'year' },
    });
    expect(logged).toHaveLength(20_000);
    expect(logged.every((each, index) => each === String(index))).toBe(true);
  });

  it('prints any amount where the main thread prints', async () => {
    const { call } = await apart({
      print:
        "for (let n = 0; n < 500; n += 1) console.log('line %d', n); process.stderr.write('to the other'); return 1;",
    });
    const [out, err] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')].map((spy) =>
      spy.mockImplementation(() => {}),
    );
    expect(value(await call('print'))).toBe(1);
    const lines = out?.mock.calls.map(([, line]) => line) ?? [];
    expect(lines).toHaveLength(500);
    expect(lines.at(-1)).toBe('line 499');
    expect(err?.mock.calls).toEqual([['%s', 'to the other']]);
    vi.restoreAllMocks();
  });

  it('lets a handler clean up when its signal is aborted', async () => {
    const { call, folder } = await apart({
      clean: `writeFileSync(input.folder + '/begun', '');
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
        writeFileSync(input.folder + '/cleaned', ''); return {};`,
    });
    const controller = new AbortController();
    const called = call('clean', { folder }, { signal: controller.signal });
    await appears(join(folder, 'begun'));
    controller.abort();
    expect(value(await called)).toBe('CAPABILITY_ABORTED');
    await appears(join(folder, 'cleaned'));
  });
});

describe('a thread', () => {
  it('serves the next call unless it was terminated', async () => {
    const { call, folder } = await apart({
      id: 'return threadId;',
      loop: "writeFileSync(input.folder + '/begun', ''); for (;;);",
    });
    const first = value(await call('id'));
    expect(value(await call('id'))).toBe(first);
    const controller = new AbortController();
    const looping = call('loop', { folder }, { signal: controller.signal });
    await appears(join(folder, 'begun'));
    controller.abort();
    expect(value(await looping)).toBe('CAPABILITY_ABORTED');
    expect(value(await call('id'))).not.toBe(first);
  });

  it('in an endless loop blocks no timers and no other calls, and ends when its call is aborted', async () => {
    const { call, folder } = await apart({
      loop: "for (let n = 0; ; n += 1) if (n % 1e6 === 0) appendFileSync(input.folder + '/ticks', '.');",
      quick: 'return 1;',
    });
    const controller = new AbortController();
    const looping = call('loop', { folder }, { signal: controller.signal });
    await appears(join(folder, 'ticks'));
    expect(value(await call('quick'))).toBe(1);
    await pass(20);
    controller.abort();
    expect(value(await looping)).toBe('CAPABILITY_ABORTED');
    const { size } = await stat(join(folder, 'ticks'));
    let last = size;
    // It goes on for the time that a handler has to clean up, and then no more.
    for (let same = 0; same < 20; ) {
      await pass(20);
      const now = (await stat(join(folder, 'ticks'))).size;
      same = now === last ? same + 1 : 0;
      last = now;
    }
  });

  it('is started for each of two concurrent calls', async () => {
    const { call, folder } = await apart({
      meet: "writeFileSync(input.folder + '/' + input.mine, ''); while (!existsSync(input.folder + '/' + input.other)); return 1;",
    });
    const both = [call('meet', { folder, mine: 'a', other: 'b' }), call('meet', { folder, mine: 'b', other: 'a' })];
    expect((await Promise.all(both)).map(value)).toEqual([1, 1]);
  });

  it.each([
    ['many objects', 'const all: object[] = []; for (;;) all.push({ n: all.length, list: [1, 2, 3] });'],
    ['one long list', 'let all = [1]; for (;;) all = [...all, ...all];'],
    ['long texts', "const all: string[] = []; for (;;) all.push('x'.repeat(1000) + all.length + Math.random());"],
  ])('that takes too much memory for %s fails its call, and the process lives', async (_, body) => {
    const { call } = await apart({ hoard: body, quick: 'return 1;' }, 128_000_000);
    const called = await call('hoard');
    expect(called).toMatchObject({
      ok: false,
      error: { code: 'THREAD_OUT_OF_MEMORY', retry: 'never', message: expect.stringContaining('128 MB') },
    });
    expect(value(await call('quick'))).toBe(1);
  });

  it.each([
    ['ends the process', 'process.exit(0);', 'THREAD_EXITED', /ended its thread/],
    [
      'throws in a timer',
      "setTimeout(() => { throw new Error('lost sheep'); }, 0); await new Promise(() => {});",
      'CAPABILITY_THREW',
      /lost sheep/,
    ],
    [
      'forgets a promise',
      "Promise.reject(new Error('lost sheep')); await new Promise(() => {});",
      'CAPABILITY_THREW',
      /lost sheep/,
    ],
    [
      'throws a revoked proxy',
      'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy;',
      'CAPABILITY_THREW',
      /cannot be read/,
    ],
    ['throws a Symbol', "throw Symbol('x');", 'CAPABILITY_THREW', /symbol/],
    ['returns a function', 'return { f() {} };', 'RESULT_NOT_JSON', /is a function/],
    ['returns a date', 'return { at: new Date() };', 'RESULT_NOT_JSON', /toISOString/],
    [
      'fails in its own words',
      "throw new CapabilityError('SHOP_CLOSED', 'come later', { retry: 'never', cause: new Error('night') });",
      'SHOP_CLOSED',
      /come later/,
    ],
  ])('with a handler that %s fails only its own call', async (_, body, code, message) => {
    const { call } = await apart({ broken: body, quick: 'return 1;' });
    const called = await call('broken');
    expect(called).toMatchObject({ ok: false, error: { code } });
    expect(called.ok ? '' : called.error.message).toMatch(message);
    if (code === 'SHOP_CLOSED') {
      expect(called).toMatchObject({
        error: { retry: 'never', cause: { code: 'CAPABILITY_THREW', message: 'night' } },
      });
    }
    expect(value(await call('quick'))).toBe(1);
  });

  it('that ended while idle fails no later call', async () => {
    const { call, folder } = await apart({
      mine: "setTimeout(() => { writeFileSync(input.folder + '/gone', ''); process.exit(0); }, 50); return threadId;",
      id: 'return threadId;',
    });
    const first = value(await call('mine', { folder }));
    await appears(join(folder, 'gone'));
    const other = value(await call('id'));
    expect(other).toEqual(expect.any(Number));
    expect(other).not.toBe(first);
  });

  it.each([
    ['nothing', 'null'],
    ['a failure that is none', "{ type: 'failed', call: 1 }"],
    [
      'a result that contains itself',
      "(() => { const value: any = {}; value.self = value; return { type: 'done', call: 1, value }; })()",
    ],
    ['a request that nobody knows', "{ type: 'request', call: 1, id: 1, request: { what: 'constructor', given: [] } }"],
    ['a question that nobody knows', "{ type: 'question', call: 1, question: { what: 'constructor' } }"],
  ])('with code that sends %s to the main thread fails at most its own call', async (_, message) => {
    const { call } = await apart({
      forge: `const { workerData } = await import('node:worker_threads'); workerData.port.postMessage(${message});
        await new Promise((resolve) => setTimeout(resolve, 50)); return 1;`,
      quick: 'return 2;',
    });
    const called = await call('forge');
    if (!called.ok) expect(called.error.code).toMatch(/^(CAPABILITY_THREW|RESULT_NOT_JSON)$/);
    expect(value(await call('quick'))).toBe(2);
  });

  it('with leftover work of its call is not reused', async () => {
    const { call } = await apart({
      linger: 'setTimeout(() => { for (;;); }, 0); return threadId;',
      id: 'return threadId;',
    });
    const first = value(await call('linger'));
    expect(value(await call('id'))).not.toBe(first);
  });
});

it('an idle thread does not keep its process alive', async () => {
  const folder = await folderWith({
    'm.mjs': `import { defineCapability } from '${source('capability')}';
export const one = defineCapability({ name: 'x.one', description: 'A test.', effects: ['pure'], run: () => 1 });`,
    'main.mjs': `import { loadModule } from '${source('module')}';
const loaded = await loadModule('m.mjs', ${'import.meta.dirname'}, { memory: ${MEMORY} });
const signal = new AbortController().signal;
console.log(await loaded.value[0].run({}, { signal, attachments: [] }));
setTimeout(() => console.log('held'), 5_000).unref();`,
  });
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'main.mjs')]);
  expect(stdout).toBe('1\n');
});

describe('a module that is loaded in a thread', () => {
  it('is not loaded in the main thread', async () => {
    const { call } = await apart({ where: 'return { main: threadId === 0, seen: (globalThis as any).seen ?? null };' });
    Object.assign(globalThis, { seen: 1 });
    expect(value(await call('where'))).toEqual({ main: false, seen: null });
  });

  it('that does not load is reported like any other module', async () => {
    const folder = await folderWith({ 'm.ts': 'export const a = 1;\nthrow new Error("no");' });
    expect(await loadModule('m.ts', folder, { memory: MEMORY })).toMatchObject({
      ok: false,
      error: [{ code: 'MODULE_THREW', place: { file: 'm.ts', line: 2 } }],
    });
    expect(await loadModule('n.ts', folder, { memory: MEMORY })).toMatchObject({
      error: [{ code: 'MODULE_NOT_FOUND', hint: expect.stringContaining('m.ts') }],
    });
  });

  it('that never finishes loading is given up', async () => {
    const folder = await folderWith({ 'm.mjs': 'for (;;);' });
    const pool = threadPool({ path: 'm.mjs', folder, memory: MEMORY, loadTime: 500 });
    expect(await pool.exported()).toEqual({ ok: false, error: 'late' });
    await expect(pool.call('x.a', {}, contextIn(folder))).rejects.toMatchObject({ code: 'THREAD_NOT_STARTED' });
  });
});
