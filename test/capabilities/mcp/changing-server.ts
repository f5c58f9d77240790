// An MCP server over stdio whose tools stand in a file: `node changing-server.ts FILE`. The tool `turn` writes new ones and says so; FILE.calls counts calls.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file = ''] = process.argv.slice(2);

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: { readonly tools?: unknown } };
}

function answer({ id, method, params = {} }: Message): void {
  switch (method) {
    case 'initialize':
      return say(id, {
        protocolVersion: '2025-06-18',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'changing', version: '1' },
      });
    case 'tools/list':
      return say(id, { tools: JSON.parse(readFileSync(file, 'utf8')) });
    case 'tools/call':
      appendFileSync(`${file}.calls`, `${params.name}\n`);
      if (params.name === 'turn') {
        writeFileSync(file, JSON.stringify(params.arguments?.tools));
        process.stdout.write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n');
      }
      return say(id, { content: [], structuredContent: { content: `did ${params.name}` } });
  }
}

function say(id: number | undefined, result: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}

createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)));
