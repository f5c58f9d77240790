// Chat completions, which most servers take.
import { chatBody } from './chat-body.ts';
import { readReply } from './chat-reply.ts';
import { streamedReply } from './chat-stream.ts';
import type { WireApi } from './wire-api.ts';

export const chatApi: WireApi = {
  prepare(request, profile, dialect, options) {
    const { body, ...features } = chatBody(request, profile, dialect, options);
    return {
      ...features,
      send: (client, signal) => client.chat.completions.create(body, { signal }),
      stream: (client, signal) => client.chat.completions.create({ ...body, stream: true }, { signal }),
    };
  },
  streamedReply,
  readReply,
};
