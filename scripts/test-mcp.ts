// Starts more than twenty public MCP servers without a network, and checks the declarations of their tools.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../src/capabilities/capability-error.ts';
import { plainText, span } from '../src/view/line.ts';
import { table } from '../src/view/table.ts';
import { install, programOf } from './test-mcp/install.ts';
import { type PublicServer, publicServers } from './test-mcp/servers.ts';
import { type Tried, tryServer } from './test-mcp/try-server.ts';

const usage = `npm run test:mcp -- [--json] [WORD...]

Starts the pinned public MCP servers whose names hold one of the words, or all of them, with dummy keys and without a
network; lists their tools, declares them, holds each against the policy of docs/mcp.md, and has plans reviewed that call
every tool. No tool is called. RECONVERGE_MCP_SERVERS names another node_modules folder that holds the servers.`;

/** The least number of servers for a meaningful test. */
const ENOUGH = 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});

type Outcome = { readonly name: string; readonly version?: string } & (Tried | { readonly missing: string });

if (values.help) console.log(usage);
else {
  const problem = install();
  if (problem === undefined) await tryAll();
  else {
    console.error(`test:mcp did not run: the servers cannot be fetched from the npm registry: ${problem}`);
    process.exitCode = 1;
  }
}

async function tryAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-mcp-'));
  const isCut = spawnSync('unshare', ['-rn', 'true']).status === 0;
  if (!values.json && !isCut) console.log('this system cannot cut a process off the network: dead proxies stand in');
  const chosen = publicServers(folder).filter(
    ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
  );
  const outcomes: Outcome[] = [];
  try {
    for (const server of chosen) {
      const outcome = await tryOne(server, isCut);
      outcomes.push(outcome);
      if (!values.json) console.log(lineFor(outcome));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (values.json) console.log(JSON.stringify(outcomes, null, 2));
  else tell(outcomes);
  const started = outcomes.filter((each) => !('missing' in each));
  const enough = positionals.length > 0 ? started.length > 0 : started.length >= ENOUGH;
  if (!enough) console.error(`only ${started.length} servers could be listed`);
  if (!enough || wrongIn(outcomes).length > 0) process.exitCode = 1;
}

async function tryOne({ name, package: own, args = [], env = {} }: PublicServer, isCut: boolean): Promise<Outcome> {
  const program = programOf(own);
  if (program === undefined) return { name, missing: `${own} is not installed` };
  const { path, version } = program;
  const words = [process.execPath, path, ...args];
  const [command = '', ...rest] = isCut ? ['unshare', '-rn', ...words] : words;
  const dead = 'http://127.0.0.1:9';
  const proxies = isCut ? {} : { http_proxy: dead, https_proxy: dead, HTTP_PROXY: dead, HTTPS_PROXY: dead };
  try {
    return { name, version, ...(await tryServer({ name, command, args: rest, env: { ...env, ...proxies } })) };
  } catch (thrown) {
    return { name, version, missing: messageOf(thrown) };
  }
}

function wrongIn(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap((each) => ('missing' in each ? [] : each.wrong.map((wrong) => `${each.name}: ${wrong}`)));
}

function lineFor(outcome: Outcome): string {
  const head = `${outcome.name} ${outcome.version ?? ''}`.trimEnd();
  if ('missing' in outcome) return `  ${head}: could not be tried: ${outcome.missing}`;
  const left = outcome.unmade.length === 0 ? '' : `; no example for ${outcome.unmade.join(', ')}`;
  const wrong = outcome.wrong.map((each) => `\n    wrong: ${each}`).join('');
  const without = outcome.leftOut.map((each) => `\n    left out: ${each}`).join('');
  return `  ${head}: ${outcome.tools} tools, ${outcome.planned} planned${left}${without}${wrong}`;
}

function tell(outcomes: readonly Outcome[]): void {
  const tried = outcomes.flatMap((each) => ('missing' in each ? [] : [each]));
  const sum = (of: (each: Tried) => number): number => tried.reduce((total, each) => total + of(each), 0);
  const columns = [
    { title: 'server' },
    ...['tools', 'read', 'once', 'may destroy', 'planned', 'proposed', 'characters a signature'].map((title) => ({
      title,
      align: 'right' as const,
    })),
  ];
  const cells = (name: string, numbers: readonly number[]) => [
    span(name),
    ...numbers.map((each) => span(String(each))),
  ];
  const numbersOf = (of: (get: (each: Tried) => number) => number): readonly number[] => [
    of(({ tools }) => tools),
    of(({ reads }) => reads),
    of(({ once }) => once),
    of(({ mayDestroy }) => mayDestroy),
    of(({ planned }) => planned),
    of(({ proposed }) => proposed),
    Math.round(
      of(({ signatures }) => signatures) /
        Math.max(
          1,
          of(({ tools }) => tools),
        ),
    ),
  ];
  const rows = tried.map((each) =>
    cells(
      each.name,
      numbersOf((get) => get(each)),
    ),
  );
  rows.push(cells(`all ${tried.length}`, numbersOf(sum)));
  console.log(table(columns, rows).map(plainText).join('\n'));
  for (const wrong of wrongIn(outcomes)) console.log(`wrong: ${wrong}`);
}
