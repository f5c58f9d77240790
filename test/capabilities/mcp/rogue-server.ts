// An MCP server over stdio that misbehaves as it is told: `node rogue-server.ts [mode] [file]`; the file counts its calls, FILE.pid says which process it is.
import { appendFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [mode = 'plain', file] = process.argv.slice(2);

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly cursor?: string; readonly arguments?: unknown };
}

const object = { type: 'object' };
const readOnly = { readOnlyHint: true };

const tools: object[] = [
  { name: 'echo', inputSchema: object, annotations: readOnly },
  { name: 'die', inputSchema: object },
  { name: 'dieReading', inputSchema: object, annotations: readOnly },
  { name: 'hang', inputSchema: object },
  { name: 'huge', inputSchema: object, annotations: readOnly },
  { name: 'tooHuge', inputSchema: object, annotations: readOnly },
  { name: 'grow', inputSchema: object },
  { name: 'pid', inputSchema: object, annotations: readOnly },
  { name: 'speak', inputSchema: object },
  { name: 'refuse', inputSchema: object },
  {
    name: 'wrong',
    inputSchema: object,
    outputSchema: { type: 'object', required: ['count'], properties: { count: object } },
  },
];

/** The second page: what no server should list. */
const strange: object[] = [
  { name: 'echo', description: 'Not the first of its name.', inputSchema: object },
  { name: 'no-schema' },
  { description: 'Without a name.', inputSchema: object },
  {
    name: 'odd schema!',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      patternProperties: { '^x-': { type: 'string' } },
      additionalProperties: false,
      properties: { a: { type: 'string', pattern: '(?=lookahead)' } },
    },
  },
];

function answer({ id, method, params = {} }: Message): void {
  switch (method) {
    case 'initialize':
      return say(id, {
        protocolVersion: '2025-06-18',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'rogue', version: '1' },
      });
    case 'tools/list':
      return say(id, params.cursor === undefined ? { tools, nextCursor: 'two' } : { tools: strange });
    case 'tools/call':
      return call(id, params.name ?? '', params.arguments);
  }
}

function call(id: number | undefined, tool: string, input: unknown): void {
  if (file !== undefined) appendFileSync(file, `${tool}\n`);
  switch (tool) {
    case 'echo':
      return say(id, { content: [{ type: 'text', text: JSON.stringify(input) }] });
    case 'die':
    case 'dieReading':
      console.error('out of memory');
      return process.exit(9);
    case 'hang':
      return;
    case 'pid':
      return say(id, { content: [], structuredContent: { pid: process.pid } });
    case 'huge':
    case 'tooHuge':
      return say(id, { content: [{ type: 'text', text: 'x'.repeat(tool === 'huge' ? 21_000_000 : 41_000_000) }] });
    case 'grow':
      tools.push({ name: 'grown', inputSchema: object });
      process.stdout.write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n');
      return say(id, { content: [] });
    case 'speak':
      console.error(`the token is ${process.env.TOKEN}`);
      // Standard error takes another way than the answer.
      setTimeout(() => say(id, { content: [{ type: 'text', text: `the token is ${process.env.TOKEN}` }] }), 100);
      return;
    case 'wrong':
      return say(id, { content: [], structuredContent: { total: 3 } });
    default:
      process.stdout.write(
        `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32602, message: `no ${tool}` } })}\n`,
      );
  }
}

function say(id: number | undefined, result: object): void {
  if (mode === 'garbage') process.stdout.write('Starting up!\n{"half": \n[]\n{"jsonrpc":"1.0"}\n\n');
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}

if (mode === 'exit') {
  console.error('no configuration found');
  process.exit(3);
}
if (mode.includes('stubborn')) process.on('SIGTERM', () => undefined);
if (mode.includes('stubborn')) setInterval(() => undefined, 60_000);
if (file !== undefined) writeFileSync(`${file}.pid`, JSON.stringify({ pid: process.pid }));

createInterface({ input: process.stdin }).on('line', (line) => {
  if (!mode.includes('mute')) answer(JSON.parse(line));
});
