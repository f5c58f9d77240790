// One quoted text for two arguments that begin alike: a person is asked, and nothing is guessed.
import { expect, it } from 'vitest';
import { planOf } from '../../../src/goals/plan/plan.ts';
import { decompose } from '../../../src/goals/split/decompose.ts';

const text = { type: 'string' };
const put = {
  name: 'vault.put_secret',
  description: 'Puts a secret.',
  effects: ['write' as const],
  input: {
    type: 'object',
    required: ['secretName', 'secretValue'],
    properties: { secretName: text, secretValue: text },
  },
};

function planned(goal: string) {
  const { tasks } = decompose(goal, { capabilities: [put] });
  const settings = { kinds: {}, sequential: false, askBelow: 0.6, attachments: [] };
  return planOf(tasks, { capabilities: [put], settings, answers: new Map() });
}

it("a single text for a secret's name and value leads to a question", () => {
  const plan = planned('Put the secret "abc"');
  expect(plan).toMatchObject({ kind: 'questions', questions: [{}, {}] });
  expect(JSON.stringify('steps' in plan ? plan.steps[0]?.input : '')).not.toContain('abc');
});

it('two texts are assigned to name and value in order', () => {
  expect(planned('Put the secret "abc" with "xyz"')).toMatchObject({
    kind: 'plan',
    steps: [{ input: { secretName: 'abc', secretValue: 'xyz' } }],
  });
});
