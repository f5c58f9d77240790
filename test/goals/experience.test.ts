// Experience from earlier runs: sums under unchanged contracts, and their limited effect.
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../src/contract/declaration.ts';
import { capabilityLines } from '../../src/goals/capability-lines.ts';
import { contractDigest, type Lesson, learnedFrom, strategyOrder, type Tally } from '../../src/goals/experience.ts';
import { capabilityFor } from '../../src/goals/plan/capability-for.ts';
import { shapeOfGoal, shapeOfIntent } from '../../src/goals/split/shape.ts';

const declared = (name: string, more: Partial<Declaration> = {}): Declaration => ({
  ...{ name, description: 'Send a message.', effects: ['network'], tags: [], cost: {} },
  ...more,
});
const tally = (tries: number, succeeded: number, ms = 0): Tally => ({
  ...{ tries, succeeded, attempts: tries, invalid: 0, ms, micro_dollars: 0, codes: {} },
});
const plainTask = { kind: 'tool_call', after: [], names: [], parameters: {}, attachments: [] };
const all = [declared('slack.send_message'), declared('mail.send_message')];
const byName = Object.fromEntries(all.map((each) => [each.name, each]));
const lesson = (name: string, count: Tally, tags: readonly string[] = []): Lesson => ({
  tags,
  outcomes: [{ of: 'capability', name, shape: 'send message', contract: contractDigest(declared(name)), ...count }],
});

describe('experience', () => {
  it('is the sum of all lessons under the same contract', () => {
    const lessons = [lesson('mail.send_message', tally(3, 2)), lesson('mail.send_message', tally(1, 1))];
    expect(learnedFrom(lessons, byName, [])?.capabilities['mail.send_message']).toMatchObject({
      tries: 4,
      succeeded: 3,
    });
    const changed = { 'mail.send_message': declared('mail.send_message', { input: { type: 'object' } }) };
    expect(learnedFrom(lessons, changed, [])).toBeUndefined();
  });

  it('decides a tie, and raises no capability that does not match', () => {
    const learned = learnedFrom(
      [lesson('mail.send_message', tally(60, 60)), lesson('slack.send_message', tally(60, 0))],
      byName,
      [],
    );
    const task = { ...plainTask, description: 'send a message' };
    expect(capabilityFor(task, { capabilities: all }).kind).toBe('open');
    expect(capabilityFor(task, { capabilities: all, learned })).toMatchObject({
      kind: 'one',
      chosen: { by: 'proven', capability: 'mail.send_message' },
    });
  });

  it('never overrides a veto', () => {
    const deletes = declared('mail.delete_message', { description: 'Delete a message.' });
    const shape = shapeOfIntent('tidy the messages');
    const outcome = {
      of: 'capability' as const,
      name: deletes.name,
      shape,
      contract: contractDigest(deletes),
      ...tally(9, 9),
    };
    const learned = learnedFrom([{ tags: [], outcomes: [outcome] }], { [deletes.name]: deletes }, []);
    const task = { ...plainTask, description: 'tidy the messages' };
    expect(capabilityFor(task, { capabilities: [deletes], learned }).kind).toBe('none');
  });

  it('is shown to planners beside each capability, with its cost', () => {
    const learned = learnedFrom([lesson('mail.send_message', tally(4, 3, 1_234))], byName, []);
    const [mail, slack] = capabilityLines(all, learned);
    expect(mail?.seen).toEqual({ calls: 4, succeeded: 3, seconds: 0.31 });
    expect(slack).not.toHaveProperty('seen');
  });

  it('reorders strategies after twenty tries, and says why', () => {
    const learned = (tries: number) => ({
      ...{ capabilities: {}, intents: {} },
      strategies: { few: { pattern: tally(tries, 1), direct: tally(tries, tries) } },
    });
    expect(strategyOrder(['pattern', 'direct'], learned(19), 'few').strategies).toEqual(['pattern', 'direct']);
    expect(strategyOrder(['pattern', 'direct'], learned(20), 'few').strategies).toEqual(['direct', 'pattern']);
    expect(strategyOrder(['pattern', 'direct'], learned(20), 'few').why).toMatch(/pattern 1 of 20, direct 20 of 20/);
    expect(strategyOrder(['pattern', 'direct'], learned(20), 'many')).toEqual({ strategies: ['pattern', 'direct'] });
  });
});

describe('the shape', () => {
  it('has an intent’s words without its data', () => {
    expect(shapeOfIntent('List the open issues of acme/site')).toBe('list open issue');
    expect(shapeOfIntent('please list open issues in "other/thing", 12 of them')).toBe('list open issue');
  });

  it('has a goal’s rough number of orders and its signals', () => {
    expect(shapeOfGoal('Explain a, then explain b')).toBe('few');
    expect(shapeOfGoal('Explain it if it is odd')).toBe('one condition');
  });
});
