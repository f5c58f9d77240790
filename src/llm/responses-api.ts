// OpenAI's Responses API, without state on the server: each request holds the whole conversation.
import { responsesBody } from './responses-body.ts';
import { readResponse } from './responses-reply.ts';
import { streamedResponse } from './responses-stream.ts';
import type { WireApi } from './wire-api.ts';

export const responsesApi: WireApi = {
  prepare(request, profile, dialect, options) {
    const { body, ...features } = responsesBody(request, profile, dialect, options);
    return {
      ...features,
      async send(client, signal) {
        // The client itself would fail on a body that is no response, as if the connection had broken.
        const response = await client.responses.create(body, { signal }).asResponse();
        return parsed(await response.text());
      },
      stream: (client, signal) => client.responses.create({ ...body, stream: true }, { signal }),
    };
  },
  streamedReply: streamedResponse,
  readReply: readResponse,
};

/** Text that is no JSON stays text, which is then described as an invalid reply. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
