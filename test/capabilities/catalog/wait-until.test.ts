// wait.until waits for a time, and no longer than its step.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callCapability } from '../../../src/capabilities/call.ts';
import { waitUntil } from '../../../src/capabilities/catalog/wait-until.ts';
import { contextIn, failureFrom, resultFrom } from '../workbench.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

test('wait.until returns at once when the time has passed', async () => {
  expect(await resultFrom(waitUntil, { at: '2026-02-28T00:00:00Z' }, '/')).toEqual({
    at: '2026-03-01T12:00:00.000Z',
    waited_ms: 0,
  });
});

test.each([
  [{ for: '90s' }, 90_000],
  [{ at: '2026-03-01T14:00:00+01:00' }, 3_600_000],
  [{ for: '60d' }, 60 * 86_400_000],
])('answers for %j after %i ms', async (when, duration) => {
  let answered = false;
  const called = resultFrom(waitUntil, when, '/').finally(() => {
    answered = true;
  });
  await vi.advanceTimersByTimeAsync(duration - 1);
  expect(answered).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await called).toMatchObject({ waited_ms: duration });
});

test.each([-3 * 86_400_000, 3 * 86_400_000])(
  'waits for a while as long as it is, when the clock is set by %d ms',
  async (by) => {
    let answered = false;
    const called = resultFrom(waitUntil, { for: '1h' }, '/').finally(() => {
      answered = true;
    });
    await vi.advanceTimersByTimeAsync(600_000);
    vi.setSystemTime(Date.now() + by);
    await vi.advanceTimersByTimeAsync(3_000_000 - 1);
    expect(answered).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await called).toMatchObject({ waited_ms: 3_600_000 });
  },
);

test('wait.until notices within a minute that the clock was set forward', async () => {
  const called = resultFrom(waitUntil, { at: '2026-03-02T12:00:00Z' }, '/');
  await vi.advanceTimersByTimeAsync(1_000);
  vi.setSystemTime(Date.parse('2026-03-02T12:00:00Z'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await called) as object).toHaveProperty('waited_ms', 60_000);
});

test('wait.until ends with its step and leaves no timer', async () => {
  const stop = new AbortController();
  const called = callCapability(waitUntil, { for: '1h' }, contextIn('/', { signal: stop.signal }));
  await vi.advanceTimersByTimeAsync(1_000);
  stop.abort();
  expect(await called).toMatchObject({ error: { code: 'CAPABILITY_ABORTED' } });
  expect(vi.getTimerCount()).toBe(0);
});

test.each([{}, { for: '1h', at: '2026-03-01T12:00:00Z' }, { for: 'a while' }])('refuses %j', async (when) => {
  expect((await failureFrom(waitUntil, when, '/')).code).toBe('INPUT_INVALID');
});
