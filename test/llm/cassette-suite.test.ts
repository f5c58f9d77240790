// The cassette model passes the model suite: each request is recorded from a scripted model and then replayed.
import { describe, it } from 'vitest';
import { type Exchange, playerOf } from '../../src/llm/cassette.ts';
import { cassetteModel, recordedModel } from '../../src/llm/cassette-model.ts';
import type { Model } from '../../src/llm/model.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import { modelSuite } from '../../src/testing/model-suite.ts';

modelSuite({ describe, it }, 'cassette', async (script) => ({
  model: playedAgain(scriptedModel(script)),
  remove: async () => {},
}));

/** Replays stream the recorded text. Only aborted requests, which leave no recording, stream from the source. */
function playedAgain(source: Model): Model {
  return {
    async ask(request, { signal, onDelta }) {
      const exchanges: Exchange[] = [];
      const heard: string[] = [];
      const listener = onDelta === undefined ? {} : { onDelta: (text: string) => void heard.push(text) };
      const asking = recordedModel(source, (exchange) => exchanges.push(exchange)).ask(request, {
        signal,
        ...listener,
      });
      const early = setImmediate(() => {
        for (const text of heard.splice(0)) onDelta?.(text);
      });
      const asked = await asking;
      clearImmediate(early);
      if (exchanges.length === 0) return asked;
      const listening = onDelta === undefined ? {} : { onDelta };
      return cassetteModel(playerOf({ cassette: 1, template: 'suite', exchanges })).ask(request, {
        signal,
        ...listening,
      });
    },
  };
}
