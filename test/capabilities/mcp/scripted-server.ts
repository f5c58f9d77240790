// An MCP server over stdio that plays a script of tools: `node scripted-server.ts SCRIPT`, a path of JSON.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Message, resultOf, type ToolScript } from './scripted-tools.ts';

const [path = ''] = process.argv.slice(2);
const script: ToolScript = JSON.parse(readFileSync(path, 'utf8'));

createInterface({ input: process.stdin }).on('line', (line) => {
  const message: Message = JSON.parse(line);
  const result = resultOf(script, message);
  if (message.id === undefined || result === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n`);
});
