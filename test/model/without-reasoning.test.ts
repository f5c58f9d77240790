// Reasoning is removed from answers of models, and nothing else is.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutReasoning } from '../../src/model/without-reasoning.ts';
import { realAnswers } from './model-answers.ts';

describe('an answer without its reasoning', () => {
  it.each(realAnswers)('is the answer alone: $from', ({ text, answer }) => {
    expect(withoutReasoning(text)).toBe(answer);
    expect(withoutReasoning(answer)).toBe(answer);
  });

  it.each([
    ['<thinking type="deep" id=1>a</thinking>b', 'b'],
    ['<scratchpad>x</scratchpad><reflection>y</reflection>\nthe answer', 'the answer'],
    ['one<think>x</think> two <reasoning>y</reasoning>three', 'one two three'],
    ['```thinking\nLet me see.\n```\n{"a": 1}', '{"a": 1}'],
    ['<think/>b', 'b'],
    ['◁think▷a◁/think▷b', 'b'],
    ['<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>b<|END_RESPONSE|>', 'b'],
    ['<seed:think>a</seed:think>b', 'b'],
    ['answer<think>unfinished', 'answer'],
  ])('%j is %j', (text, answer) => {
    expect(withoutReasoning(text)).toBe(answer);
  });

  it.each([
    '{"html": "<think>kept</think>", "n": 1}',
    'The value is {"html": "</think> and <think>"} as asked.',
    'Models write `<think>` before they answer, and "</think>" after it.',
    ' text about thinking, with its spaces ',
    'the final channel <of thought>',
    '{"a": "<|channel|>final<|message|>"}',
  ])('%j stays as it is', (text) => {
    expect(withoutReasoning(text)).toBe(text);
  });

  it('keeps marks in the JSON strings of an answer after reasoning', () => {
    const answer = '{"html": "<think>x</think> [THINK] <|channel|>final", "n": [1, "</thought>"]}';
    for (const text of [`<think>a {"b</think>\n${answer}`, `no { opening </think>${answer}`]) {
      expect(withoutReasoning(text)).toBe(answer);
    }
    expect(
      withoutReasoning(`<|channel|>analysis<|message|>a<|end|><|channel|>final<|message|>${answer}<|return|>`),
    ).toBe(answer);
  });

  it('is the answer for any reasoning before any text', () => {
    const words = fc.string().map((text) => text.replace(/[<>[\]◁▷|`"']/g, ' '));
    fc.assert(
      fc.property(
        fc.string().map((text) => text.replaceAll(/[<[◁]/g, ' ')),
        words,
        (reasoning, answer) => {
          for (const [open, close] of [
            ['<think>', '</think>'],
            ['<Thinking a="b">', '</Thinking>'],
            ['[THINK]', '[/THINK]'],
            ['', '</reasoning>'],
            ['<|channel>thought', '<channel|>'],
          ]) {
            expect(withoutReasoning(`${open}${reasoning}${close}${answer}`)).toBe(answer.trim());
          }
        },
      ),
    );
  });
});
