// Keys of an MCP server: how to start or reach it, its environment, and corrections of what it says about its tools.
import { defined, type Json } from '../../base/json.ts';
import { durationOfSeconds, microDollarsOf } from '../../budget/display-figures.ts';
import { type Declaration, repeats } from '../../contract/declaration.ts';
import { effectList } from './effects.ts';
import { type KeyValues, keyOf } from './key.ts';
import { choice, condition, duration, forbids, list, map, mapByName, number, text, textLike } from './kinds.ts';

const NAME = '^[a-z][a-z0-9_]*$';

const plain = (...types: readonly string[]) =>
  keyOf({ type: types.length === 1 ? (types[0] ?? '') : types }, (written) =>
    written === undefined || written === null ? undefined : String(written),
  );

const toolKeys = {
  effects: effectList('The effects of a call.', ['write']),
  repeat: choice('Whether a call with an unknown outcome may be repeated.', repeats),
  key: text('The argument for an idempotency key. The engine fills it in, and `repeat` becomes `keyed`.'),
  cost: map('The estimated cost of a call.', {
    seconds: number('The duration in seconds.', 0),
    usd: number('The price in US dollars.', 0),
  }).to(({ seconds, usd }): Declaration['cost'] =>
    defined({
      ms: seconds === undefined ? undefined : durationOfSeconds(seconds),
      micro_dollars: usd === undefined ? undefined : microDollarsOf(usd),
    }),
  ),
  approval: choice(
    'Whether each call that a planner or an agent chose needs the approval of a person; `never` also permits calls that may destroy something.',
    ['always', 'never'],
  ),
};

/** Properties of a tool that replace those that its server declares. */
export type ToolOverride = KeyValues<typeof toolKeys>;

const sharedKeys = {
  connect_timeout: duration('The time limit for starting the server and listing its tools.').or('30s'),
  hints: choice(
    'Whether the hints of the server about effects and repetition are used; `ignore` treats every tool as one that writes.',
    ['ignore'],
  ),
  tools: mapByName(
    'Properties of tools that replace those that the server declares, by the tool names of the server; `reconverge mcp tools` proposes them.',
    map('The properties of one tool.', toolKeys).to(
      (read): ToolOverride => (read.key === undefined ? read : { repeat: 'keyed', ...read }),
    ),
    { slack_post_message: { effects: ['write'], repeat: 'never' } },
  ),
};

const serverKeys = {
  name: textLike(
    NAME,
    'lower-case letters, digits and underscores, a letter first',
    'The name of the server; its tools are called `name.tool`.',
    'github',
  ).to((name) => (new RegExp(NAME).test(name) ? name : undefined)),
  command: textLike('\\S', 'the name or the path of a program', 'The program that runs the server.', 'npx'),
  args: list('The arguments of the program; `${env.X}` is replaced by the variable.', plain('string', 'number'), [
    'some-mcp-server',
    './data',
  ]).orElse([]),
  env: mapByName(
    'Environment variables of the program, in addition to PATH, HOME and similar ones; it gets no other variables.',
    plain('string', 'number', 'boolean'),
    { TOKEN: '${secret.GITHUB_TOKEN}' },
  ).orElse({}),
  cwd: text("The working folder of the program, relative to the template; when absent, the template's folder."),
  url: textLike(
    '^https?://\\S|\\$\\{',
    'an address that begins with http:// or https://',
    'The address of the server.',
    'http://localhost:3000/mcp',
  ),
  headers: mapByName('HTTP headers of each request to this server.', plain('string'), {
    Authorization: 'Bearer ${secret.GITHUB_TOKEN}',
  }).orElse({}),
  ...sharedKeys,
};

type ServerKeys = KeyValues<typeof serverKeys>;

type CommonServerKeys = KeyValues<typeof sharedKeys> & { readonly name: string };

/** A server that the engine starts. `${env.X}` and `${secret.X}` stay as written. */
export type StdioServer = CommonServerKeys & { readonly command: string } & Pick<ServerKeys, 'args' | 'env' | 'cwd'>;

/** A server that answers over streamable HTTP. */
export type HttpServer = CommonServerKeys & { readonly url: string } & Pick<ServerKeys, 'headers'>;

export type McpServer = StdioServer | HttpServer;

export const mcpServer = map(
  'An MCP server: a program to start (`command`), or an address for streamable HTTP (`url`).',
  serverKeys,
  ['name'],
)
  .with({
    allOf: [
      condition({ required: ['url'] }, forbids(['command', 'args', 'env', 'cwd']), {
        required: ['command'],
        ...forbids(['headers']),
      }),
    ],
  })
  .to(({ name, command, args, env, cwd, url, headers, ...shared }): McpServer | undefined => {
    if (name === undefined) return undefined;
    if (url !== undefined) return { name, ...shared, url, headers };
    return command === undefined ? undefined : { name, ...shared, command, args, env, ...defined({ cwd }) };
  });

/** Undefined when the schema refuses the value. */
export function readMcpServer(written: Json | undefined): McpServer | undefined {
  return mcpServer.read(written, []);
}
