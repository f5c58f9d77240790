// Tools of a real server under the effects policy: their effects, the callers that need an approval, and the arguments of the call.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import { callsMade, type ToolScript } from '../capabilities/mcp/scripted-tools.ts';
import { engineOf, good, pathTo } from './set-up.ts';

const serverScript = join(import.meta.dirname, '../capabilities/mcp/scripted-server.ts');

type Caller = 'template' | 'plan' | 'agent';

interface Row {
  readonly says: string;
  readonly tool: string;
  readonly annotations?: JsonObject;
  /** The template's `tools` for the server. */
  readonly override?: JsonObject;
  readonly more?: string;
  readonly effects: readonly string[];
  readonly repeat: string;
  readonly asked: readonly Caller[];
}

const planned: readonly Caller[] = ['plan', 'agent'];
const everyone: readonly Caller[] = ['template', 'plan', 'agent'];

const rows: readonly Row[] = [
  {
    says: 'is annotated as read-only',
    tool: 'get_note',
    annotations: { readOnlyHint: true },
    effects: ['read'],
    repeat: 'safe',
    asked: [],
  },
  {
    says: 'is annotated as idempotent',
    tool: 'set_note',
    annotations: { idempotentHint: true, destructiveHint: false },
    effects: ['write'],
    repeat: 'safe',
    asked: planned,
  },
  {
    says: 'takes a key by the override of the template',
    tool: 'add_note',
    override: { key: 'request_id' },
    effects: ['write'],
    repeat: 'keyed',
    asked: planned,
  },
  { says: 'has no annotations', tool: 'post_note', effects: ['write'], repeat: 'never', asked: planned },
  {
    says: 'is annotated as not destructive',
    tool: 'push_note',
    annotations: { destructiveHint: false },
    effects: ['write'],
    repeat: 'never',
    asked: planned,
  },
  {
    says: 'is annotated as destructive',
    tool: 'write_note',
    annotations: { destructiveHint: true, idempotentHint: true },
    effects: ['write', 'delete'],
    repeat: 'safe',
    asked: everyone,
  },
  {
    says: 'has a destructive name',
    tool: 'deleteNote',
    effects: ['write', 'delete'],
    repeat: 'never',
    asked: everyone,
  },
  {
    says: 'has a destructive name and is annotated as read-only',
    tool: 'purge_notes',
    annotations: { readOnlyHint: true },
    effects: ['write', 'delete'],
    repeat: 'never',
    asked: everyone,
  },
  {
    says: 'lists deleted items',
    tool: 'list_trash',
    annotations: { readOnlyHint: true },
    effects: ['read'],
    repeat: 'safe',
    asked: [],
  },
  {
    says: 'the template declares as a mere write',
    tool: 'write_note',
    annotations: { destructiveHint: true },
    override: { effects: ['write'] },
    effects: ['write'],
    repeat: 'never',
    asked: planned,
  },
  {
    says: 'the template exempts from approvals',
    tool: 'delete_note',
    override: { approval: 'never' },
    effects: ['write', 'delete'],
    repeat: 'never',
    asked: [],
  },
  {
    says: 'deletes under a policy that allows deletion',
    tool: 'delete_note',
    more: 'effects: { allowed: [write, delete] }',
    effects: ['write', 'delete'],
    repeat: 'never',
    asked: [],
  },
  {
    says: 'is annotated as read-only in a template that ignores hints',
    tool: 'get_note',
    annotations: { readOnlyHint: true },
    more: 'hints',
    effects: ['write'],
    repeat: 'never',
    asked: planned,
  },
];

const given: JsonObject = { text: 'milk', token: '${secret.TOKEN}' };
const shape: JsonObject = {
  type: 'object',
  properties: { text: { type: 'string' }, token: { type: 'string' }, request_id: { type: 'string' } },
};

function stepsFor(caller: Caller, tool: string): Json[] {
  if (caller === 'template') return [{ name: 'call', handler: tool, input: given }];
  if (caller === 'agent') return [{ name: 'call', agent: 'clerk' }];
  const fragment = { steps: [{ name: 'call', capability: tool, input: given }] };
  return [
    { name: 'plan', type: 'planning', planner: { kind: 'fixed', fragment }, convergence_target: 'end' },
    { name: 'end', type: 'deferred', dependencies: ['plan'] },
  ];
}

/** The name of the tool in the run: `deleteNote` becomes `notes.delete_note`. */
const nameOf = (tool: string): string => `notes.${tool.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;

async function runBy(caller: Caller, { tool, annotations, override, more = '' }: Row) {
  const log = pathTo(`${caller}.log`);
  const listed: JsonObject = { name: tool, inputSchema: shape, ...(annotations === undefined ? {} : { annotations }) };
  const script: ToolScript = { tools: [listed], log, answers: { [tool]: 'done' } };
  writeFileSync(pathTo('script.json'), JSON.stringify(script));
  const server = {
    name: 'notes',
    command: process.execPath,
    args: [serverScript, pathTo('script.json')],
    ...(override === undefined ? {} : { tools: { [tool]: override } }),
    ...(more === 'hints' ? { hints: 'ignore' } : {}),
  };
  const name = nameOf(tool);
  const effects = more.startsWith('effects') ? { effects: { allowed: ['write', 'delete'] } } : {};
  const template = {
    reconverge: 1,
    name: 'policy',
    ...effects,
    models: { default: { model: 'scripted', prices: { input: '$0', output: '$0' } } },
    capabilities: [{ mcp: server }],
    agents: { clerk: { prompt: 'You keep notes.', tools: [name] } },
    steps: stepsFor(caller, name),
  };
  writeFileSync(pathTo(`${caller}.yaml`), JSON.stringify(template));
  const model = scriptedModel([
    { when: { turn: 1 }, reply: { toolCalls: [{ name: name.replace('.', '_'), arguments: given }] } },
    { reply: { text: 'kept' }, times: 'always' },
  ]);
  const engine = engineOf({ surroundings: { ...process.env, TOKEN: 'hush' }, models: { default: model } });
  const handle = good(await engine.start(good(await engine.load(`${caller}.yaml`))));
  const first = await handle.done;
  const { state, template: loaded } = good(engine.read(handle.id));
  const gates = [...state.gates.values()];
  const before = callsMade(log);
  if (gates.length === 0)
    return { report: first, gates, before, made: callsMade(log), declared: loaded.capabilities[name] };
  const approved = await engine.order(handle.id, { type: 'review', gate: 'g1', verdict: 'approve', by: 'ada' });
  const report = (await good(approved).handle?.done) ?? first;
  return { report, gates, before, made: callsMade(log), declared: loaded.capabilities[name] };
}

it.each(rows)('a tool that $says has the effects and the approvals of the policy', async (row) => {
  const isKeyed = row.repeat === 'keyed';
  for (const caller of everyone) {
    const { report, gates, before, made, declared } = await runBy(caller, row);
    expect(declared).toMatchObject({ effects: row.effects, repeat: row.repeat });
    const isAsked = row.asked.includes(caller);
    expect([caller, gates.map(({ kind }) => kind)]).toEqual([caller, isAsked ? ['approval'] : []]);
    if (isAsked) {
      expect(before).toEqual([]);
      const shown = { capability: nameOf(row.tool), server: 'notes', tool: row.tool, input: given };
      expect(gates[0]).toMatchObject({ context: { value: shown } });
    }
    expect(report.status).toBe('completed');
    const key = isKeyed ? { request_id: expect.stringMatching(/^\w+\//) } : {};
    // Secrets are not filled in where a model writes their names.
    const token = caller === 'agent' ? given.token : 'hush';
    expect(made).toEqual([{ tool: row.tool, arguments: { text: 'milk', token, ...key } }]);
  }
});

it('a child run needs an approval for its own call that may destroy something', async () => {
  const log = pathTo('child.log');
  writeFileSync(pathTo('script.json'), JSON.stringify({ tools: 'filesystem', log } satisfies ToolScript));
  const server = { name: 'disk', command: process.execPath, args: [serverScript, pathTo('script.json')] };
  const input = { path: 'a.txt', content: 'milk' };
  const child = { name: 'keep', steps: [{ name: 'write', handler: 'disk.write_file', input }] };
  const parent = {
    name: 'parent',
    capabilities: [{ template: './keep.json' }],
    steps: [{ name: 'go', handler: 'keep' }],
  };
  writeFileSync(pathTo('keep.json'), JSON.stringify({ reconverge: 1, capabilities: [{ mcp: server }], ...child }));
  writeFileSync(pathTo('parent.json'), JSON.stringify({ reconverge: 1, ...parent }));
  const engine = engineOf();
  const handle = good(await engine.start(good(await engine.load('parent.json'))));
  const { gates = [] } = await handle.done;
  expect(gates).toMatchObject([{ gate: 'g1/g1', kind: 'approval', step: 'write', each: true }]);
  expect(callsMade(log)).toEqual([]);
  const order = { type: 'review', gate: 'g1/g1', verdict: 'approve', by: 'ada' } as const;
  expect(await good(await engine.order(handle.id, order)).handle?.done).toMatchObject({ status: 'completed' });
  expect(callsMade(log)).toEqual([{ tool: 'write_file', arguments: input }]);
});
