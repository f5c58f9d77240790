// What earlier runs have taught, as arithmetic: sums that hold under the contracts of now, and how little of them counts.
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../src/contract/declaration.ts';
import { capabilityLines } from '../../src/planning/capability-lines.ts';
import { shapeOfGoal, shapeOfIntent } from '../../src/planning/decompose/shape.ts';
import {
  contractDigest,
  experienceOf,
  type Lesson,
  learnedFrom,
  orderOf,
  type Tally,
} from '../../src/planning/learned.ts';
import { rankCapabilities } from '../../src/planning/resolve/rank.ts';

const declared = (name: string, more: Partial<Declaration> = {}): Declaration => ({
  ...{ name, description: 'Send a message.', effects: ['network'], tags: [], cost: {} },
  ...more,
});
const tally = (tries: number, succeeded: number, ms = 0): Tally => ({
  ...{ tries, succeeded, attempts: tries, invalid: 0, ms, micro_dollars: 0, codes: {} },
});
const all = [declared('slack.send_message'), declared('mail.send_message')];
const byName = Object.fromEntries(all.map((each) => [each.name, each]));
const lesson = (name: string, count: Tally, tags: readonly string[] = []): Lesson => ({
  tags,
  outcomes: [{ of: 'capability', name, shape: 'send message', contract: contractDigest(declared(name)), ...count }],
});

describe('what was learned', () => {
  it('is the sum of all lessons under the same contract', () => {
    const lessons = [lesson('mail.send_message', tally(3, 2)), lesson('mail.send_message', tally(1, 1))];
    expect(learnedFrom(lessons, byName, [])?.capabilities['mail.send_message']).toMatchObject({
      tries: 4,
      succeeded: 3,
    });
    const changed = { 'mail.send_message': declared('mail.send_message', { input: { type: 'object' } }) };
    expect(learnedFrom(lessons, changed, [])).toBeUndefined();
  });

  it('settles a tie, and lifts nothing that does not serve', () => {
    const learned = learnedFrom(
      [lesson('mail.send_message', tally(60, 60)), lesson('slack.send_message', tally(60, 0))],
      byName,
      [],
    );
    const experience = (name: string) => experienceOf(learned?.capabilities[name]);
    expect(rankCapabilities('send a message', all).verdict).toBe('ambiguous');
    const settled = rankCapabilities('send a message', all, { experience });
    expect([settled.verdict, settled.candidates[0]?.name]).toEqual(['accepted', 'mail.send_message']);
    expect(rankCapabilities('delete the message', all, { experience }).verdict).toBe('rejected');
  });

  it('counts little, and less the less often something was tried', () => {
    expect(experienceOf(tally(1_000, 1_000))).toBeLessThanOrEqual(0.06);
    expect(experienceOf(tally(1_000, 0))).toBeGreaterThanOrEqual(-0.06);
    expect(experienceOf(tally(2, 2))).toBeLessThan(experienceOf(tally(20, 20)));
    expect(experienceOf(undefined)).toBe(0);
  });

  it('is shown to planners beside the capability, as a price hint', () => {
    const learned = learnedFrom([lesson('mail.send_message', tally(4, 3, 1_234))], byName, []);
    const [mail, slack] = capabilityLines(all, '', 8_000, learned);
    expect(mail?.seen).toEqual({ calls: 4, succeeded: 3, seconds: 0.31 });
    expect(slack).not.toHaveProperty('seen');
  });

  it('orders strategies from twenty samples on, and says why', () => {
    const learned = (tries: number) => ({
      ...{ capabilities: {}, intents: {} },
      strategies: { few: { pattern: tally(tries, 1), direct: tally(tries, tries) } },
    });
    expect(orderOf(['pattern', 'direct'], learned(19), 'few').strategies).toEqual(['pattern', 'direct']);
    expect(orderOf(['pattern', 'direct'], learned(20), 'few').strategies).toEqual(['direct', 'pattern']);
    expect(orderOf(['pattern', 'direct'], learned(20), 'few').why).toMatch(/pattern 1 of 20, direct 20 of 20/);
    expect(orderOf(['pattern', 'direct'], learned(20), 'many')).toEqual({ strategies: ['pattern', 'direct'] });
  });
});

describe('the shape', () => {
  it('of an intent is its words without its data', () => {
    expect(shapeOfIntent('List the open issues of acme/site')).toBe('list open issue');
    expect(shapeOfIntent('please list open issues in "other/thing", 12 of them')).toBe('list open issue');
  });

  it('of a goal is how many orders it gives, and what else it says', () => {
    expect(shapeOfGoal('Explain a, then explain b')).toBe('few');
    expect(shapeOfGoal('Explain it if it is odd')).toBe('one condition');
  });
});
