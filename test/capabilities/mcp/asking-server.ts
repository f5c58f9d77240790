// An MCP server over stdio whose tool asks its client first, as the protocol of 2025 does it: for an answer, a text, or its folders; HEARD names a file of the methods that it hears.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

interface Message {
  readonly id?: number | string;
  readonly method?: 'initialize' | 'tools/list' | 'tools/call';
  readonly params?: {
    readonly arguments?: { readonly method?: string; readonly silent?: boolean };
    readonly protocolVersion?: string;
  };
  readonly error?: { readonly code: number };
}

const say = (message: object): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let call: number | string | undefined;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, error }: Message = JSON.parse(line);
  if (process.env.HEARD !== undefined) appendFileSync(process.env.HEARD, `${method}\n`);
  switch (method) {
    case 'initialize':
      return say({
        id,
        result: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'asking', version: '1' },
        },
      });
    case 'tools/list':
      return say({ id, result: { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] } });
    case 'tools/call':
      if (params?.arguments?.silent) return;
      call = id;
      return say({ id: 'question', method: params?.arguments?.method, params: { message: 'Who are you?' } });
    case undefined: {
      const text = error === undefined ? 'somebody answered' : `refused with ${error.code}`;
      return say({ id: call, result: { isError: error !== undefined, content: [{ type: 'text', text }] } });
    }
  }
});
