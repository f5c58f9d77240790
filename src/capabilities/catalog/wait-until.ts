// wait.until: returns at a given time, or after a given duration.
import { type Duration, readDuration } from '../../base/quantity.ts';
import { defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';

/** The longest delay before a clock that was set forward is noticed. */
const LONGEST_SLEEP: Duration = 60_000;

export const waitUntil = defineCapability({
  name: 'wait.until',
  description: 'Wait until a point in time, or for a duration.',
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      at: { type: 'string', format: 'date-time', description: 'Point in time: 2026-03-01T12:00:00Z' },
      for: {
        type: 'string',
        description: 'Duration: 250ms, 30s, 10m, 2h. It begins again after a crash; "at" does not.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['at', 'waited_ms'],
    properties: { at: { type: 'string', format: 'date-time' }, waited_ms: { type: 'integer' } },
  },
  effects: ['pure'],
  tags: ['time'],
  repeat: 'safe',
  async run(when, ctx) {
    const begun = performance.now();
    const left = countdown(when, begun);
    for (let rest = left(); rest > 0; rest = left()) await sleep(Math.min(rest, LONGEST_SLEEP), ctx.signal);
    return { at: new Date().toISOString(), waited_ms: Math.round(performance.now() - begun) };
  },
});

/** The time left. A duration ignores changes of the clock; a point in time follows the clock. */
function countdown(when: { readonly at?: string; readonly for?: string }, begun: Duration): () => Duration {
  if ((when.at === undefined) === (when.for === undefined)) throw invalid('say either "at" or "for"');
  if (when.at !== undefined) {
    const until = Date.parse(when.at);
    return () => until - Date.now();
  }
  const reading = readDuration(when.for ?? '');
  if (!reading.ok) throw invalid(`"for" is no duration: ${reading.error}`);
  return () => Math.ceil(begun + reading.value - performance.now());
}

function sleep(duration: Duration, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, duration);
  const stop = (): void => {
    clearTimeout(timer);
    reject(signal.reason);
  };
  signal.addEventListener('abort', stop, { once: true });
  return promise.finally(() => signal.removeEventListener('abort', stop));
}

function invalid(message: string): CapabilityError {
  return new CapabilityError('INPUT_INVALID', message, { retry: 'never' });
}
