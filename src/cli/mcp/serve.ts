// Serves tools over standard input and output with the official SDK, until the client disconnects.
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Issue } from '../../base/issue.ts';
import { defined, type Json } from '../../base/json.ts';
import { version } from '../../runtime/journal/package-version.ts';
import { takeStandardOutput } from '../take-output.ts';
import type { RunService } from './run-service.ts';
import type { RunTool } from './run-tools.ts';

/** Resolves when standard input ends or a signal arrives. */
export async function serve(tools: readonly RunTool[], service: RunService): Promise<void> {
  const server = new Server(
    { name: 'reconverge', version: version() },
    {
      capabilities: { tools: {} },
      instructions: 'Each template is a tool that starts a run; run_result waits for its end.',
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools.map((tool) => toolOf(tool)) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const by = `mcp:${server.getClientVersion()?.name ?? 'client'}`;
    const input: Json = JSON.parse(JSON.stringify(params.arguments ?? {}));
    const answer = await service.call(params.name, input, { signal: mcpReq.signal, by });
    if (!answer.ok) return { isError: true, content: [{ type: 'text', text: answer.error.map(issueText).join('\n') }] };
    const structuredContent = { ...answer.value };
    return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
  });
  const { protocol, giveBack } = takeStandardOutput();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  server.onclose = leave;
  for (const signal of signals) process.on(signal, leave);
  await server.connect(new StdioServerTransport(process.stdin, protocol));
  await left;
  await service.stop();
  await server.close();
  for (const signal of signals) process.off(signal, leave);
  giveBack();
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function toolOf({ name, title, description, inputSchema, annotations }: RunTool) {
  return {
    name,
    ...defined({ title }),
    description,
    inputSchema: { ...inputSchema, type: 'object' as const },
    annotations: { ...annotations },
  };
}

/** An MCP client has no command line, so hints about commands are left out. */
function issueText({ code, message, hint }: Issue): string {
  const isCommand = hint === undefined || /\breconverge [a-z]|--[a-z]/.test(hint);
  return `${code}: ${message}${isCommand ? '' : `; ${hint}`}`;
}
