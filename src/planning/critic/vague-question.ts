// Finding: a question to a person has a single word.
import { issue } from '../../base/issue.ts';
import type { Check } from '../checks/check.ts';

export const vagueQuestion: Check = ({ fragment: { steps } }) =>
  steps.flatMap(({ name, gate, approval }, index) => {
    const asked = [
      { prompt: gate?.prompt, at: ['prompt'] },
      { prompt: approval?.prompt, at: ['approval', 'prompt'] },
    ];
    return asked
      .filter(({ prompt }) => prompt !== undefined && (prompt.trim().match(/[^\s?.!]+/g) ?? []).length <= 1)
      .map(({ at }) =>
        issue('CRITIC_QUESTION_VAGUE', `step "${name}" asks a person no more than a word`, {
          severity: 'warning',
          path: ['steps', index, ...at],
          hint: 'ask in a sentence: what is to be decided, about what, and what an answer may be',
        }),
      );
  });
