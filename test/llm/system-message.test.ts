// Models whose chat template knows no system message read its text in the first message of the user.
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { openaiModel } from '../../src/llm/openai-client.ts';
import { boundary } from '../../src/runtime/ports/boundary.ts';
import { profileOf } from '../profile-of.ts';
import { ask, failureOf, replyOf } from './served.ts';

interface SentMessage {
  readonly role: string;
  readonly content: string;
}

it('sends no system message to a server that refused one', async () => {
  const received: SentMessage[][] = [];
  const server = createServer(async (request, response) => {
    const { messages }: { messages: SentMessage[] } = JSON.parse(
      (await request.setEncoding('utf8').toArray()).join(''),
    );
    received.push(messages);
    const isRefused = messages.some(({ role }) => role === 'system');
    response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
    const message = { role: 'assistant', content: 'Done.' };
    response.end(
      JSON.stringify(
        isRefused
          ? { object: 'error', message: 'System role not supported', type: 'BadRequestError', code: 400 }
          : { choices: [{ message, finish_reason: 'stop' }] },
      ),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  const model = openaiModel(profileOf({ baseUrl }), boundary({}));
  const messages = [
    { role: 'system' as const, content: 'Be brief.' },
    { role: 'user' as const, content: 'Begin.' },
    { role: 'assistant' as const, content: 'How?' },
    { role: 'user' as const, content: 'As you like.' },
    { role: 'user' as const, content: 'Soon.' },
  ];
  try {
    expect(failureOf(await ask(model, { messages }))).toMatchObject({
      code: 'MODEL_FORMAT_UNSUPPORTED',
      message: expect.stringContaining('does not take system messages'),
    });
    const reply = replyOf(await ask(model, { messages }));
    expect(reply).toMatchObject({ text: 'Done.', leftOut: ['system_message'] });
    expect(received[1]).toEqual([
      { role: 'user', content: 'Be brief.\n\nBegin.' },
      { role: 'assistant', content: 'How?' },
      { role: 'user', content: 'As you like.\n\nSoon.' },
    ]);
  } finally {
    await new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  }
});
