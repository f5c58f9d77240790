// The runs that are sent to backends: a demonstration, a run with models, replans and a gate, child runs, and one of 3,000 steps.
import { join } from 'node:path';
import { openModelServer } from '../../src/testing/model-server.ts';
import { project } from '../cli/reconverge.ts';
import { root } from '../sources.ts';
import { type BackendAddress, over, sends, type Told, toldBy } from './sent-run.ts';

const template = (name: string): string => join(root, 'templates', name);

/** The demonstration of the README, over gRPC: two phases, and a file that cannot be read. */
export async function demonstration(to: BackendAddress): Promise<Told> {
  const cwd = project();
  const input = `folder=${template('data/shop')}`;
  await sends(['run', template('recon-then-execute.yaml'), '--input', input], cwd, over(to, 'grpc'));
  return toldBy(cwd);
}

/** A recorded run: a rejected plan, retries of an agent, a replan, and a gate that another process answers. */
export async function withModels(to: BackendAddress): Promise<{ readonly before: Told; readonly after: Told }> {
  const cwd = project();
  const replay = ['--replay', template('cassettes/research-and-compare.json')];
  await sends(['run', template('research-and-compare.yaml'), ...replay], cwd, over(to, 'http'));
  const before = await toldBy(cwd);
  await sends(['review', before.run, 'g1', '--approve', ...replay], cwd, over(to, 'http'));
  return { before, after: await toldBy(cwd) };
}

const sub = `reconverge: 1
name: sub
input: "{n :int}"
steps:
  - { name: double, type: compute, expr: "(* 2 (:n data/input))" }
`;

const parent = `reconverge: 1
name: parent
capabilities: [{ template: ./sub.yaml }]
steps:
  - { name: four, handler: sub, input: { n: 2 } }
  - { name: six, handler: sub, input: { n: 3 }, dependencies: [four] }
`;

/** Two child runs, whose spans are in the trace of their caller. */
export async function withChildren(to: BackendAddress): Promise<Told> {
  const cwd = project({ 'parent.yaml': parent, 'sub.yaml': sub });
  await sends(['run', 'parent.yaml'], cwd, over(to, 'http'));
  return toldBy(cwd);
}

const STEPS = 3_000;
const WIDTH = 50;

/** 3,000 steps in layers, which end faster than batches leave. */
export async function manySteps(to: BackendAddress, protocol: 'grpc' | 'http'): Promise<Told> {
  const steps = Array.from({ length: STEPS }, (_, i) => ({
    name: `s${i}`,
    type: 'compute',
    expr: '(+ 1 1)',
    ...(i < WIDTH ? {} : { dependencies: [`s${i - WIDTH}`] }),
  }));
  const document = { reconverge: 1, name: 'many', budget: { max_total_steps: STEPS }, steps };
  const cwd = project({ 'many.json': JSON.stringify(document) });
  await sends(['run', 'many.json', '--relaxed'], cwd, over(to, protocol));
  return toldBy(cwd);
}

const tell = `import { defineCapability } from 'reconverge';
export const tell = defineCapability({ name: 'door.tell', description: 'Tells.', input: '{about :string}', effects: ['read'], run: () => ({ round: true }) });
`;

/** An agent that calls a tool, in a template that captures content. */
export async function contentRun(to: BackendAddress): Promise<Told> {
  const server = await openModelServer({
    script: [
      { when: { turn: 1 }, reply: { toolCalls: [{ name: 'door.tell', arguments: { about: 'the moon' } }] } },
      { reply: { json: { said: 'it is round' } } },
    ],
  });
  const document = {
    reconverge: 1,
    name: 'tells',
    capture_content: true,
    capabilities: ['./tell.ts'],
    models: { default: { model: 'gpt-5-mini', base_url: server.url, api_key: 'none' } },
    agents: { teller: { prompt: 'You tell.', tools: ['door.tell'], output: '{said :string}' } },
    steps: [{ name: 'ask', agent: 'teller', description: 'Say what it is.' }],
  };
  const cwd = project({ 'tells.json': JSON.stringify(document), 'tell.ts': tell });
  await sends(['run', 'tells.json'], cwd, over(to, 'grpc'));
  await server.close();
  return toldBy(cwd);
}
