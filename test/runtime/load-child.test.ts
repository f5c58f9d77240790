// Loading templates that call other templates: their issues have places, and the called templates have contracts and effects.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/base/issue.ts';
import type { Result } from '../../src/base/result.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import { boundOf } from '../../src/engine/bound/bound.ts';
import type { Template } from '../../src/template/template.ts';
import { engineOf, good, pathTo } from './set-up.ts';

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(pathTo(name), `reconverge: 1\n${text}`);
}

const load = (file: string, environment?: string): Promise<Result<Template>> =>
  engineOf({ capabilities: [put, ask] }).load(file, { environment });

const put = defineCapability({
  name: 'put',
  description: 'Changes something.',
  effects: ['write'],
  repeat: 'keyed',
  run: () => null,
});

const ask = defineCapability({ name: 'look', description: 'Looks.', effects: ['network'], run: () => null });

const callerOf = (source: string, step = '{ name: sub, handler: child }'): string =>
  `name: caller\ncapabilities: [{ template: ${source} }]\nsteps: [${step}]\n`;

async function declared(child: string, source = './child.yaml', name = 'child'): Promise<Declaration> {
  write({ 'child.yaml': child, 'caller.yaml': callerOf(source, `{ name: sub, handler: ${name} }`) });
  const { capabilities } = good(await load('caller.yaml'));
  const found = capabilities[name];
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

const placed = (result: Result<unknown>): readonly string[] =>
  (result.ok ? [] : result.error).map(
    ({ code, place }: Issue) => `${code} ${place?.file}:${place?.line}:${place?.column}`,
  );

const plain = 'name: child\nsteps: [{ name: only, handler: look }]\n';

describe('a template that another template names', () => {
  it('has its issues reported with file, line and column', async () => {
    write({
      'child.yaml': 'name: child\nsteps:\n  - { name: only, handler: nobody }\n',
      'caller.yaml': callerOf('./child.yaml'),
    });
    expect(placed(await load('caller.yaml'))).toEqual(['CAPABILITY_UNKNOWN child.yaml:4:28']);
  });

  it('is searched in the folder of its caller, and the line of its caller is reported when it is missing', async () => {
    mkdirSync(pathTo('inner'));
    write({
      'inner/child.yaml': plain,
      'inner/caller.yaml': callerOf('./child.yaml'),
      'caller.yaml': callerOf('./child.yaml'),
    });
    expect(good(await load('inner/caller.yaml')).templates?.child?.template.file).toBe('inner/child.yaml');
    expect(placed(await load('caller.yaml'))).toEqual(['TEMPLATE_UNREADABLE caller.yaml:3:16']);
  });

  it('cannot start itself through other templates, and the issue shows the whole cycle', async () => {
    write({
      'a.yaml': callerOf('./b.yaml', '{ name: sub, handler: caller }'),
      'b.yaml': callerOf('./c.yaml', '{ name: sub, handler: caller }'),
    });
    symlinkSync(pathTo('a.yaml'), pathTo('c.yaml'));
    const loaded = await load('a.yaml');
    expect(placed(loaded)).toEqual(['TEMPLATE_CYCLE b.yaml:3:16']);
    expect(loaded.ok ? '' : loaded.error[0]?.message).toContain('a.yaml → b.yaml → c.yaml');
  });

  it('may be nested at most five levels deep', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    write(
      Object.fromEntries(
        names.map((name, index) => {
          const below = names[index + 1];
          const source = below === undefined ? '' : `capabilities: [{ template: ./${below}.yaml }]\n`;
          const step = below === undefined ? 'handler: look' : `handler: ${below}`;
          return [`${name}.yaml`, `name: ${name}\n${source}steps: [{ name: only, ${step} }]\n`];
        }),
      ),
    );
    expect((await load('b.yaml')).ok).toBe(true);
    expect(placed(await load('a.yaml'))).toEqual(['TEMPLATE_TOO_DEEP e.yaml:3:16']);
  });

  it('changes the digest of its caller when it changes', async () => {
    write({ 'child.yaml': plain, 'caller.yaml': callerOf('./child.yaml') });
    const before = good(await load('caller.yaml'));
    write({ 'child.yaml': plain.replace('only', 'other') });
    const after = good(await load('caller.yaml'));
    expect(after.capabilities.child?.runs?.template).not.toBe(before.capabilities.child?.runs?.template);
    expect(after.digest).not.toBe(before.digest);
  });

  it('uses the environment of its caller if it has an environment with that name', async () => {
    const timeouts = 'environments: { fast: { steps: { only: { timeout: 1s } } } }\n';
    write({ 'child.yaml': plain + timeouts, 'caller.yaml': `${callerOf('./child.yaml')}environments: { fast: {} }\n` });
    const { templates } = good(await load('caller.yaml', 'fast'));
    expect(templates?.child?.template.steps[0]?.timeout).toBe(1_000);
    write({ 'child.yaml': plain });
    expect((await load('caller.yaml', 'fast')).ok).toBe(true);
  });
});

describe('a template as a capability', () => {
  it('has a capability name that derives from its own name, or the given name', async () => {
    await declared(plain.replace('name: child', 'name: Audit-One'), './child.yaml', 'audit_one');
    await declared(plain, '{ file: ./child.yaml, name: audit.two }', 'audit.two');
    write({ 'caller.yaml': callerOf('./child.yaml'), 'child.yaml': plain.replace('name: child', 'name: "1"') });
    expect(placed(await load('caller.yaml'))).toEqual(['CAPABILITY_NAME_INVALID caller.yaml:3:28']);
  });

  it('has the input contract of the template', async () => {
    write({
      'child.yaml': `${plain}input: { type: object, required: [id], properties: { id: { type: integer } } }\n`,
      'caller.yaml': callerOf('./child.yaml', '{ name: sub, handler: child, input: { id: one } }'),
    });
    expect(placed(await load('caller.yaml'))).toEqual(['CONTRACT_MISMATCH caller.yaml:4:51']);
  });

  it.each([
    [
      'that its output text implies',
      'output: { n: "{{ results.only.n }}", all: "{{ results.only }}", says: "n = {{ results.only.n }}" }\n',
      {
        properties: { n: { type: 'integer' }, all: { type: 'object' }, says: { type: 'string' } },
        required: ['n', 'all', 'says'],
      },
    ],
    ['of its last steps, if it has no output', '', { properties: { only: { type: 'object' } }, required: ['only'] }],
  ])('has the output contract %s', async (_, output, contract) => {
    const typed = 'name: child\nsteps: [{ name: only, handler: look, output: "{n :int}" }]\n';
    expect((await declared(typed + output)).output).toMatchObject({ type: 'object', ...contract });
  });

  it('has an output contract, and references to its result are checked against it', async () => {
    write({
      'child.yaml':
        'name: child\nsteps: [{ name: only, handler: look, output: "{n :int}" }]\noutput: "{{ results.only }}"\n',
      'caller.yaml': callerOf(
        './child.yaml',
        '{ name: sub, handler: child }, { name: next, handler: look, input: { n: "{{ results.sub.m }}" } }',
      ),
    });
    expect(placed(await load('caller.yaml'))).toEqual(['REFERENCE_PATH_UNKNOWN caller.yaml:4:81']);
  });

  it('has the effects of its steps and of the capabilities that its planners may use', async () => {
    const granted = 'capabilities: [files.write]\n';
    expect((await declared(plain + granted)).effects).toEqual(['network']);
    expect((await declared('name: child\nsteps: [{ name: only, handler: put }]\n')).effects).toEqual(['write']);
    expect(await declared('name: child\nsteps: [{ name: only, handler: put }]\n')).toMatchObject({ repeat: 'keyed' });
    const planning = `name: child\n${granted}steps:
  - { name: plan, type: planning, planner: { kind: fixed, fragment: { steps: [] } }, convergence_target: end }
  - { name: end, type: deferred, dependencies: [plan] }\n`;
    expect((await declared(planning)).effects).toEqual(['network', 'filesystem', 'write']);
    expect((await declared(`${planning}effects: { denied: [write] }\n`)).effects).toEqual(['network', 'filesystem']);
  });

  it('may be denied by the policy of its caller', async () => {
    write({
      'child.yaml': 'name: child\nsteps: [{ name: only, handler: put }]\n',
      'caller.yaml': `${callerOf('./child.yaml')}effects: { denied: [write] }\n`,
    });
    expect(placed(await load('caller.yaml'))).toEqual(['EFFECT_DENIED caller.yaml:4:31']);
  });

  it('adds its whole bound to the bound of its caller', async () => {
    write({ 'child.yaml': `${plain}budget: { max_wall_clock_time: 5m }\n`, 'caller.yaml': callerOf('./child.yaml') });
    const template = good(await load('caller.yaml'));
    const rows = new Map(boundOf(template).map(({ resource, bound }) => [resource, bound]));
    expect(rows.get('steps')).toBe(2);
    expect(rows.get('tool_calls')).toBe(4);
    const nothing = { phases: 0, llm_calls: 0, tokens: 0, cost_usd: 0, replans: 0 };
    expect(template.templates?.child?.most).toEqual({ ...nothing, steps: 1, tool_calls: 3 });
    expect(template.steps[0]?.timeout).toBe(300_000);
    expect(template.capabilities.child?.cost).toEqual({ ms: 300_000 });
  });

  it('needs a budget that covers the steps with which it begins', async () => {
    const two = 'name: child\nsteps: [{ name: one, handler: look }, { name: two, handler: look }]\n';
    write({ 'child.yaml': two, 'caller.yaml': callerOf('{ file: ./child.yaml, budget: { max_total_steps: 1 } }') });
    expect(placed(await load('caller.yaml'))).toEqual(['BUDGET_BELOW_TEMPLATE caller.yaml:3:50']);
  });

  it('cannot be called by a composition', async () => {
    const composition = '{ compose: { name: both, description: Both., steps: [{ call: child }] } }';
    write({
      'child.yaml': plain,
      'caller.yaml': `name: caller\ncapabilities: [{ template: ./child.yaml }, ${composition}]\nsteps: [{ name: sub, handler: both }]\n`,
    });
    expect(placed(await load('caller.yaml'))[0]).toMatch(/^COMPOSITION_ASKS caller\.yaml:3:/);
  });
});
