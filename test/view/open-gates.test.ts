// The lines of open gates: their age and their expiry.
import { describe, expect, it } from 'vitest';
import { type OpenGate, openGateLines } from '../../src/view/open-gates.ts';
import { textOf } from './story.ts';

const asked = Date.UTC(2026, 2, 1, 12, 0, 58);
const gate: OpenGate = {
  gate: 'g1',
  kind: 'review',
  step: 'check',
  others: [],
  prompt: 'Is it good?',
  decision: {},
  since: asked,
};
const lineOf = (wait?: number) =>
  textOf(openGateLines([wait === undefined ? gate : { ...gate, until: asked + wait, onExpiry: 'fail' }]));

describe('an open gate', () => {
  it('shows its age and its expiry, with seconds if the expiry is near', () => {
    expect(lineOf()).toContain('since 2026-03-01 12:00 UTC\n');
    expect(lineOf(2_000)).toContain('since 2026-03-01 12:00:58 UTC, until 2026-03-01 12:01:00 UTC: then');
    expect(lineOf(7_200_000)).toContain('since 2026-03-01 12:00 UTC, until 2026-03-01 14:00 UTC: then');
  });

  it('is marked as expired before the run records the expiry', () => {
    const late = openGateLines([{ ...gate, until: asked + 2_000, onExpiry: 'fail' }], asked + 2_000);
    expect(textOf(late)).toContain('expired 2026-03-01 12:01:00 UTC: when the run goes on, the step fails');
  });
});
