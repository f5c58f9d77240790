// Templates whose models come from modules with providers of the AI SDK.
import { rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/runtime/create-engine.ts';
import type { ModelServer } from '../../src/testing/model-server.ts';
import { call, project } from './reconverge.ts';
import { serverWith } from './served-model.ts';
import { USED, wholeFiles, wholeRun, wholeScript } from './whole-run.ts';

const module = `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
const house = createOpenAICompatible({ name: 'house', baseURL: process.env.MODEL_URL ?? '', includeUsage: true });
export default (name: string) => house(name);
`;

/** A project with the packages of this checkout. */
function projectWith(files: Readonly<Record<string, string>>): string {
  const folder = project(files);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

function wholeByModule(server: ModelServer, keys = ''): string {
  return wholeRun(server, `provider: ai-sdk\nmodule: ./model.ts\n${keys}`).replace(/ +base_url: .*\n/, '');
}

const template = (keys: string): string => `reconverge: 1
name: greeter
models:
  default: { model: small, prices: { input: $0, output: $0 }, ${keys} }
steps:
  - { name: greet, agent: default, description: Say hello. }
`;

describe('a whole run by a module', () => {
  it.each(['', 'stream: true\nreasoning: low'])(
    'plans, judges, sums up, calls tools, charges what was used, and is replayed from its cassette: %s',
    async (keys) => {
      const server = await serverWith({ script: wholeScript });
      const cwd = projectWith({ 'whole.yaml': wholeByModule(server, keys), 'model.ts': module, ...wholeFiles });
      const cassette = join(cwd, 'whole.json');
      const env = { MODEL_URL: server.url };
      expect(await call(['run', 'whole.yaml', '--record', cassette, '--json'], { cwd, env })).toMatchObject({
        code: 0,
      });
      expect(server.requests.map(({ path }) => path)).toEqual(Array.from({ length: 6 }, () => '/v1/chat/completions'));
      const budget = await call(['budget', 'latest', '--json'], { cwd });
      expect(budget.stdout).toContain(String(6 * USED.input));
      const why = await call(['why', 'latest', 'count', '--call', '1.1', '--json'], { cwd });
      expect(why.stdout).toContain('ai-sdk:house.chat');
      await server.close();
      expect(await call(['run', 'whole.yaml', '--replay', cassette, '--json'], { cwd })).toMatchObject({ code: 0 });
    },
  );

  it.each(['gemini-3', 'groq', 'ollama-without-tools'] as const)('ends well on a server like %s', async (like) => {
    const server = await serverWith({ script: wholeScript, like });
    const cwd = projectWith({ 'whole.yaml': wholeByModule(server), 'model.ts': module, ...wholeFiles });
    const run = await call(['run', 'whole.yaml', '--json'], { cwd, env: { MODEL_URL: server.url } });
    expect(run).toMatchObject({ code: 0 });
  });
});

describe('a module of a model', () => {
  it.each<[string, string, Readonly<Record<string, string>>, string]>([
    ['is missing', './modle.ts', {}, 't.yaml:4:89: error MODULE_NOT_FOUND: there is no module at "./modle.ts"'],
    [
      'exports something else',
      './a.ts',
      { 'a.ts': 'export default () => ({});' },
      't.yaml:4:89: error MODEL_MODULE_INVALID',
    ],
    ['exports nothing', './a.ts', { 'a.ts': 'export const other = 1;' }, 't.yaml:4:89: error MODEL_MODULE_INVALID'],
    ['throws', './a.ts', { 'a.ts': '\nthrow new Error("no region");' }, './a.ts:2:7: error MODULE_THREW'],
    [
      'throws for the model',
      './a.ts',
      { 'a.ts': 'export default (name: string) => { throw new Error(`no ${name}`); };' },
      'threw for the model "small": no small',
    ],
    [
      'imports a package that is not installed',
      './a.ts',
      { 'a.ts': "export { anthropic as default } from '@ai-sdk/nobody';" },
      't.yaml:4:89: error MODULE_IMPORT_MISSING',
    ],
  ])('that %s is an error with its place', async (_, path, files, expected) => {
    const cwd = projectWith({ 't.yaml': template(`provider: ai-sdk, module: ${path}`), 'model.ts': module, ...files });
    const checked = await call(['validate', 't.yaml'], { cwd });
    expect(checked.code).toBe(1);
    expect(`${checked.stdout}${checked.stderr}`).toContain(expected);
  });

  it.each([
    ['provider: ai-sdk', 'MODEL_MODULE_MISSING'],
    ['module: ./model.ts', 'MODEL_MODULE_UNUSED'],
    ['provider: ai-sdk, module: ./model.ts, extra_body: { top_k: 3 }', 'MODEL_OPTIONS_INVALID'],
    ['provider: ai-sdk, module: ./model.ts, base_url: http://127.0.0.1/v1', 'MODEL_KEY_UNUSED'],
  ])('fits its profile: %s', async (keys, code) => {
    const cwd = projectWith({ 't.yaml': template(keys), 'model.ts': module });
    const { stdout, stderr } = await call(['validate', 't.yaml'], { cwd });
    expect(`${stdout}${stderr}`).toMatch(new RegExp(`t\\.yaml:4:\\d+: (?:error|warning) ${code}`));
  });

  it('may export a provider, a model, or `model`', async () => {
    const server = await serverWith({ script: [{ reply: { text: 'Hello.' }, times: 'always' }] });
    const begin = module.slice(0, module.indexOf('export'));
    for (const text of ['export default house;', "export default house('tiny');", 'export const model = house;']) {
      const cwd = projectWith({
        't.yaml': template('provider: ai-sdk, module: ./model.ts'),
        'model.ts': `${begin}${text}`,
      });
      expect(await call(['run', 't.yaml'], { cwd, env: { MODEL_URL: server.url } })).toMatchObject({ code: 0 });
    }
    const models = server.requests.map(({ body }) => (body as { readonly model: string }).model);
    expect(models).toEqual(['small', 'tiny', 'small']);
  });

  it.each([
    [
      'an included file',
      {
        't.yaml':
          'reconverge: 1\nname: t\ninclude: [sub/models.yaml]\nsteps:\n  - { name: a, agent: default, description: Hi. }\n',
      },
      'sub/models.yaml:4:13: error MODULE_NOT_FOUND',
    ],
    [
      'an environment',
      {
        't.yaml': `${template('temperature: 1')}environments:\n  test:\n    models:\n      default: { provider: ai-sdk, module: ./modle.ts }\n`,
      },
      't.yaml:10:44: error MODULE_NOT_FOUND',
    ],
  ])('has its place in %s', async (_, files, expected) => {
    const models =
      'models:\n  default:\n    provider: ai-sdk\n    module: ./modle.ts\n    prices: { input: $0, output: $0 }\n';
    const cwd = projectWith({ ...files, 'sub/models.yaml': models });
    const environment = expected.startsWith('sub') ? [] : ['--environment', 'test'];
    const { stdout, stderr } = await call(['validate', 't.yaml', ...environment], { cwd });
    expect(`${stdout}${stderr}`).toContain(expected);
  });

  it('is not loaded for an untrusted template', async () => {
    const cwd = projectWith({
      't.yaml': template('provider: ai-sdk, module: ./model.ts'),
      'model.ts': "import { writeFileSync } from 'node:fs';\nwriteFileSync('loaded', 'yes');",
    });
    const checked = await call(['validate', 't.yaml', '--untrusted'], { cwd });
    expect(checked.code).toBe(0);
    expect(`${checked.stdout}${checked.stderr}`).toContain('NOT_CHECKED: the module "./model.ts" was not loaded');
    expect((await call(['explain', 't.yaml', '--untrusted'], { cwd })).code).toBe(0);
    expect((await call(['validate', 't.yaml', '--untrusted', '--json'], { cwd })).stdout).toContain('"line": 4');
  });

  it('that is gone keeps a run from being resumed, and the run waits', async () => {
    const server = await serverWith({ script: [{ reply: { text: 'Hello.' } }] });
    const gated = template('provider: ai-sdk, module: ./model.ts').replace(
      'steps:',
      'steps:\n  - { name: ask, type: gate, prompt: Go on? }',
    );
    const folder = projectWith({
      't.yaml': gated.replace('name: greet,', 'name: greet, dependencies: [ask],'),
      'model.ts': module,
    });
    const options = { folder, store: join(folder, 'runs.db'), surroundings: {} };
    const first = createEngine(options);
    const loaded = await first.load('t.yaml');
    const begun = loaded.ok ? await first.start(loaded.value) : loaded;
    if (!begun.ok) return expect.fail(JSON.stringify(begun.error));
    expect((await begun.value.done).status).toBe('waiting');
    await first.close();
    rmSync(join(folder, 'model.ts'));
    const second = createEngine(options);
    const resumed = await second.resume(begun.value.id);
    expect(resumed.ok ? [] : resumed.error.map(({ code }) => code)).toEqual(['MODULE_NOT_FOUND']);
    await second.close();
    expect(server.requests).toEqual([]);
  });
});

describe('doctor --models', () => {
  it('asks a model of a module, and names the module', async () => {
    const server = await serverWith({ script: [{ reply: { text: 'ok' }, times: 'always' }] });
    const cwd = projectWith({ 't.yaml': template('provider: ai-sdk, module: ./model.ts'), 'model.ts': module });
    const asked = await call(['doctor', '--models', 't.yaml'], { cwd, env: { MODEL_URL: server.url } });
    expect(asked.stdout).toContain('./model.ts');
    expect(asked.stdout).toContain('(AI SDK)');
    expect(server.requests.length).toBeGreaterThan(2);
  });
});
