// Test cases for the failures of every model.

import assert from 'node:assert/strict';
import type { Failure } from '../base/failure.ts';
import { defined } from '../base/json.ts';
import type { Model } from '../llm/model.ts';
import type { Script, ScriptedFailure } from '../llm/script.ts';
import { ask, asking, estimated, failureOf, replyOf } from './model-samples.ts';

const failures: readonly (readonly [string, ScriptedFailure, Pick<Failure, 'code' | 'retry' | 'retryAfter'>])[] = [
  [
    'too many requests',
    { status: 429, retryAfter: 2_000 },
    { code: 'MODEL_RATE_LIMITED', retry: 'may', retryAfter: 2_000 },
  ],
  [
    'a rate limit of less than a second',
    { status: 429, retryAfter: 250 },
    { code: 'MODEL_RATE_LIMITED', retry: 'may', retryAfter: 250 },
  ],
  [
    'an account without credit',
    { status: 429, code: 'insufficient_quota' },
    { code: 'MODEL_ACCESS_REFUSED', retry: 'never' },
  ],
  ['a server error', { status: 500 }, { code: 'MODEL_UNAVAILABLE', retry: 'may' }],
  [
    'a server error with a wait',
    { status: 503, retryAfter: 1_000 },
    { code: 'MODEL_UNAVAILABLE', retry: 'may', retryAfter: 1_000 },
  ],
  ['an invalid request', { status: 400, message: 'unknown tool' }, { code: 'MODEL_REQUEST_REFUSED', retry: 'never' }],
  ['an invalid key', { status: 401 }, { code: 'MODEL_ACCESS_REFUSED', retry: 'never' }],
  ['an unknown model', { status: 404 }, { code: 'MODEL_REQUEST_REFUSED', retry: 'never' }],
  [
    'a request beyond the context window',
    { status: 400, code: 'context_length_exceeded' },
    { code: 'MODEL_CONTEXT_EXCEEDED', retry: 'never' },
  ],
  ['an unreadable response', { garbage: true }, { code: 'MODEL_REPLY_INVALID', retry: 'may' }],
  ['a broken connection', { cut: 'Once upon' }, { code: 'MODEL_UNAVAILABLE', retry: 'may' }],
];

export function modelFailureCases(
  test: (sentence: string, script: Script, body: (model: Model) => Promise<void>) => void,
): void {
  for (const [what, fail, expected] of failures) {
    for (const context of [{}, { onDelta: () => {} }]) {
      const streamed = 'onDelta' in context ? ' streamed' : '';
      test(
        `a${streamed} request fails with ${expected.code} for ${what}`,
        [{ reply: { fail } }, { reply: { text: 'again' } }],
        async (model) => {
          const { code, retry, retryAfter } = failureOf(await ask(model, asking('try'), context));
          assert.deepEqual({ code, retry, ...defined({ retryAfter }) }, expected);
          assert.equal(replyOf(await ask(model, asking('try'), context)).text, 'again');
        },
      );
    }
  }

  test(
    'a broken stream reports its estimated usage',
    [{ reply: { fail: { cut: 'Once upon a time' } } }],
    async (model) => {
      const pieces: string[] = [];
      const asked = await ask(model, asking('tell'), { onDelta: (piece) => pieces.push(piece) });
      assert.equal(asked.ok, false);
      assert.equal(pieces.join(''), 'Once upon a time');
      estimated(asked.ok ? undefined : asked.error.usage);
    },
  );

  test(
    'a broken connection without a listener reports the usage of the prompt, and a server error reports no usage',
    [{ reply: { fail: { cut: 'Once upon a time' } } }, { reply: { fail: { status: 500 } } }],
    async (model) => {
      const cut = await ask(model, asking('tell'));
      const {
        input,
        output,
        estimated: isEstimated,
      } = (cut.ok ? undefined : cut.error.usage) ?? { input: 0, output: -1 };
      assert.ok(input > 0);
      assert.deepEqual([output, isEstimated], [0, true]);
      const refused = await ask(model, asking('tell'));
      assert.equal(refused.ok ? undefined : refused.error.usage, undefined);
    },
  );

  test('an aborted request ends without a reply', [{ reply: { fail: { stall: '' } }, times: 2 }], async (model) => {
    for (const context of [{}, { onDelta: () => {} }]) {
      const stop = new AbortController();
      const asked = ask(model, asking('wait'), { signal: stop.signal, ...context });
      setImmediate(() => stop.abort());
      assert.equal(failureOf(await asked).code, 'MODEL_ABORTED');
    }
  });

  test(
    'a stream that is aborted in the middle of an answer reports its estimated usage',
    [{ reply: { fail: { stall: 'Once upon' } } }],
    async (model) => {
      const stop = new AbortController();
      const asked = await ask(model, asking('wait'), {
        signal: stop.signal,
        onDelta: (piece) => piece.includes('upon') && stop.abort(),
      });
      assert.equal(failureOf(asked).code, 'MODEL_ABORTED');
      estimated(asked.ok ? undefined : asked.error.usage);
    },
  );

  test('a request that is already aborted uses no reply', [{ reply: { text: 'first' } }], async (model) => {
    assert.equal(failureOf(await ask(model, asking('try'), { signal: AbortSignal.abort() })).code, 'MODEL_ABORTED');
    assert.equal(replyOf(await ask(model, asking('try'))).text, 'first');
  });

  test(
    'a request without a scripted reply fails without a retry, and the message quotes the request',
    [{ when: { last: 'known' }, reply: { text: '' } }],
    async (model) => {
      const { retry, message } = failureOf(await ask(model, asking('What is this?')));
      assert.equal(retry, 'never');
      assert.match(message, /turn 1 of scripted.*What is this\?/);
    },
  );
}
