// Starts one public server without a network, declares its tools, and reviews plans that call each of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Json, ownProperty } from '../../src/base/json.ts';
import { messageOf } from '../../src/capabilities/capability-error.ts';
import { declareTools } from '../../src/capabilities/mcp/declare.ts';
import { proposeOverrides } from '../../src/capabilities/mcp/propose-overrides.ts';
import { openSession } from '../../src/capabilities/mcp/session.ts';
import { contractOf } from '../../src/contract/contract.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import { exampleOf } from '../../src/contract/example.ts';
import { signatureLine } from '../../src/contract/signature-line.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { breaches } from './policy.ts';

export interface Startable {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Tried {
  readonly tools: number;
  readonly reads: number;
  /** The number of tools that may be called at most once. */
  readonly once: number;
  readonly mayDestroy: number;
  readonly proposed: number;
  /** Calls in plans that passed their review. */
  readonly planned: number;
  /** Tools without an example for their arguments. */
  readonly unmade: readonly string[];
  /** Tools that cannot be called, and why. */
  readonly leftOut: readonly string[];
  /** Characters of all signatures. */
  readonly signatures: number;
  /** The faults, in sentences. */
  readonly wrong: readonly string[];
}

/** Calls in one plan. */
const CALLS = 20;
/** Warnings that are no faults of the server. */
const EXPECTED: ReadonlySet<string> = new Set(['MCP_SCHEMA_RELAXED', 'MCP_TOOL_NEEDS_TASK']);
const CONNECT_TIMEOUT = 60_000;

/** @throws Error with the reason why the server could not be started or listed */
export async function tryServer(server: Startable): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-mcp-'));
  try {
    const tools = await listed(server, folder);
    const { declarations, issues } = declareTools(server.name, tools);
    const leftOut = issues.filter(({ code }) => code === 'MCP_TOOL_NEEDS_TASK').map(({ message }) => message);
    const plans = await review(server, declarations, folder);
    const wrong = [
      ...issues.filter(({ code }) => !EXPECTED.has(code)).map(({ message }) => message),
      ...(declarations.length + leftOut.length === tools.length ? [] : ['a tool is not declared']),
      ...declarations.flatMap((declaration) => {
        const tool = tools.find((each) => ownProperty(each, 'name') === declaration.origin?.tool);
        return tool === undefined ? [`${declaration.name} is not listed`] : breaches(tool, declaration);
      }),
      ...declarations.flatMap(faults),
      ...plans.wrong,
    ];
    const count = (fits: (declaration: Declaration) => boolean): number => declarations.filter(fits).length;
    return {
      tools: declarations.length,
      reads: count(({ effects }) => effects.includes('read')),
      once: count(({ repeat }) => repeat === 'never'),
      mayDestroy: count(({ approval }) => approval === 'each'),
      proposed: proposeOverrides(declarations).length,
      planned: plans.planned,
      unmade: plans.unmade,
      leftOut,
      signatures: declarations.reduce((sum, each) => sum + signatureLine(each).length, 0),
      wrong,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function listed(server: Startable, cwd: string): Promise<readonly Json[]> {
  const startable = { ...server, connectTimeout: CONNECT_TIMEOUT, cwd };
  const session = openSession({
    server: startable,
    fillIn: () => startable,
    redact: (text) => text,
    onToolsChanged: () => undefined,
  });
  try {
    const answered = await session.list();
    if (!answered.ok) throw new Error(answered.error.message);
    return answered.value;
  } finally {
    await session.close();
  }
}

/** Finds contracts that do not compile, and signatures that cannot be read. */
function faults(declaration: Declaration): readonly string[] {
  const { name, input = {}, output = {} } = declaration;
  const line = signatureLine(declaration);
  const found: string[] = [];
  if (!line.startsWith(`${name}(`) || line.includes('\n')) found.push(`${name}: its signature is "${line}"`);
  for (const schema of [input, output]) {
    try {
      contractOf(schema).check({});
    } catch (thrown) {
      found.push(`${name}: its contract cannot be checked against: ${messageOf(thrown)}`);
    }
  }
  return found;
}

interface Reviewed {
  readonly planned: number;
  readonly unmade: readonly string[];
  readonly wrong: readonly string[];
}

/** Each run stops at the gate after its review, so that no tool is called. */
async function review(server: Startable, declarations: readonly Declaration[], folder: string): Promise<Reviewed> {
  const calls = declarations.map(({ name, input = {} }) => ({ name, input: exampleOf(input) }));
  const made = calls.filter(({ input }) => input !== undefined);
  const engine = createEngine({ folder });
  const wrong: string[] = [];
  let planned = 0;
  try {
    for (let from = 0; from < made.length; from += CALLS) {
      const part = made.slice(from, from + CALLS);
      const steps = part.map(({ name, input = {} }, at) => ({ name: `call_${at + 1}`, capability: name, input }));
      writeFileSync(join(folder, 'plan.json'), JSON.stringify(templateWith(server, steps)));
      const loaded = await engine.load('plan.json');
      if (!loaded.ok) return { planned, unmade: [], wrong: loaded.error.map(({ message }) => message) };
      const started = await engine.start(loaded.value);
      if (!started.ok) return { planned, unmade: [], wrong: started.error.map(({ message }) => message) };
      const { gates = [], failure } = await started.value.done;
      if (gates[0]?.kind === 'plan_review') planned += part.length;
      else wrong.push(`a plan is rejected: ${failure?.message ?? 'nobody says why'}`);
    }
  } finally {
    await engine.close();
  }
  return { planned, unmade: calls.filter(({ input }) => input === undefined).map(({ name }) => name), wrong };
}

function templateWith(server: Startable, steps: readonly object[]): object {
  return {
    reconverge: 1,
    name: 'plan-over',
    capabilities: [{ mcp: { ...server, connect_timeout: `${CONNECT_TIMEOUT / 1_000}s` } }],
    steps: [
      {
        name: 'plan',
        type: 'planning',
        plan_review: 'always',
        planner: { kind: 'fixed', fragment: { steps } },
        convergence_target: 'end',
      },
      { name: 'end', type: 'deferred', dependencies: ['plan'] },
    ],
  };
}
