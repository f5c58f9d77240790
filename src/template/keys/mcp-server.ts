// Keys of an MCP server: how it is started or reached, what it is given, and what the template says of its tools.
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
  effects: effectList('What calling it does.', ['write']),
  repeat: choice('Whether a call may be made again when nobody knows what became of it.', repeats),
  key: text('The argument in which it takes an idempotency key; it is filled in, and `repeat` is `keyed`.'),
  cost: map('What a call costs.', {
    seconds: number('How long it takes.', 0),
    usd: number('What it costs in dollars.', 0),
  }).to(({ seconds, usd }): Declaration['cost'] =>
    defined({
      ms: seconds === undefined ? undefined : durationOfSeconds(seconds),
      micro_dollars: usd === undefined ? undefined : microDollarsOf(usd),
    }),
  ),
  approval: choice(
    'Whether a person must agree to each call that a planner or an agent thought of; `never` also lets calls through that may destroy something.',
    ['always', 'never'],
  ),
};

/** Replaces what a server says about one of its tools. */
export type ToolOverride = KeyValues<typeof toolKeys>;

const sharedKeys = {
  connect_timeout: duration('How long it may take to start and to list its tools.').or('30s'),
  hints: choice('Whether what the server says about effects and repeating counts; `ignore`: every tool writes.', [
    'ignore',
  ]),
  tools: mapByName(
    'What holds of single tools in place of what the server says, by their names there; `reconverge mcp tools` proposes it.',
    map('What holds of one tool.', toolKeys).to(
      (read): ToolOverride => (read.key === undefined ? read : { repeat: 'keyed', ...read }),
    ),
    { slack_post_message: { effects: ['write'], repeat: 'never' } },
  ),
};

const serverKeys = {
  name: textLike(
    NAME,
    'lower-case letters, digits and underscores, a letter first',
    'Its tools are called `name.tool`.',
    'github',
  ).to((name) => (new RegExp(NAME).test(name) ? name : undefined)),
  command: textLike('\\S', 'the name or the path of a program', 'The program that is started.', 'npx'),
  args: list('What it is started with; `${env.X}` is filled in.', plain('string', 'number'), [
    'some-mcp-server',
    './data',
  ]).orElse([]),
  env: mapByName(
    'Its environment, beside PATH, HOME and the like; nothing else of ours is handed on.',
    plain('string', 'number', 'boolean'),
    { TOKEN: '${secret.GITHUB_TOKEN}' },
  ).orElse({}),
  cwd: text("The folder in which it is started, relative to the template; the template's own unless given."),
  url: textLike(
    '^https?://\\S|\\$\\{',
    'an address that begins with http:// or https://',
    'Where it is reached.',
    'http://localhost:3000/mcp',
  ),
  headers: mapByName('Sent with each request to it, and to nobody else.', plain('string'), {
    Authorization: 'Bearer ${secret.GITHUB_TOKEN}',
  }).orElse({}),
  ...sharedKeys,
};

type ServerKeys = KeyValues<typeof serverKeys>;

type CommonServerKeys = KeyValues<typeof sharedKeys> & { readonly name: string };

/** A server that is started. `${env.X}` and `${secret.X}` are kept as written. */
export type StdioServer = CommonServerKeys & { readonly command: string } & Pick<ServerKeys, 'args' | 'env' | 'cwd'>;

/** A server that is reached over streamable HTTP. */
export type HttpServer = CommonServerKeys & { readonly url: string } & Pick<ServerKeys, 'headers'>;

export type McpServer = StdioServer | HttpServer;

export const mcpServer = map(
  'An MCP server: a program that is started (`command`), or one that is reached over streamable HTTP (`url`).',
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

/** Undefined where the schema refuses it. */
export function readMcpServer(written: Json | undefined): McpServer | undefined {
  return mcpServer.read(written, []);
}
