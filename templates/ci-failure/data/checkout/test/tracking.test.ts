import { expect, it } from 'vitest';
import { lastState } from '../src/tracking.ts';

// Scanners deliver late, so that events come out of order.
it('takes the latest event, in whatever order they come', () => {
  expect(
    lastState([
      { at: '2026-03-02T10:00', place: 'Hamburg', state: 'delivered' },
      { at: '2026-03-01T10:00', place: 'Berlin', state: 'accepted' },
    ]),
  ).toBe('delivered');
});
