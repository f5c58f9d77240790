// A server of the protocol of 2026-07-28 alone, made with the official SDK: its tools answer, ask a person, or fail.
import { type CallToolRequest, inputRequired, ProtocolError, Server } from '@modelcontextprotocol/server';

const object = { type: 'object' } as const;

const tools = [
  { name: 'echo', inputSchema: object, annotations: { readOnlyHint: true } },
  { name: 'askName', inputSchema: object },
  { name: 'refuse', inputSchema: object },
  { name: 'grow', inputSchema: object },
];

/** @param onGrow after a tool was added */
export function modernServer(onGrow: (server: Server) => void = (server) => void server.sendToolListChanged()): Server {
  const server = new Server(
    { name: 'modern', version: '1' },
    { capabilities: { tools: { listChanged: true }, logging: {} } },
  );
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', ({ params }: CallToolRequest) => {
    switch (params.name) {
      case 'echo':
        return { content: [], structuredContent: { said: params.arguments ?? {} } };
      case 'askName':
        return inputRequired({
          inputRequests: {
            who: inputRequired.elicit({
              message: 'Who are you?',
              requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
            }),
          },
        });
      case 'grow':
        tools.push({ name: 'grown', inputSchema: object });
        onGrow(server);
        return { content: [] };
      default:
        throw new ProtocolError(-32_050, 'the quota is used up', { retry_after: 60 });
    }
  });
  return server;
}
