// A streamed answer is shown while it arrives, without its reasoning, wherever its pieces are cut.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type VisiblePiece, type VisibleTextOptions, visibleText } from '../../src/model/visible-text.ts';
import { withoutReasoning } from '../../src/model/without-reasoning.ts';
import { realAnswers } from './model-answers.ts';

function streamed(pieces: readonly string[], options: VisibleTextOptions = {}): readonly VisiblePiece[] {
  const visible = visibleText(options);
  return [...pieces.map((piece) => visible.take(piece)), visible.end()].filter((piece) => piece !== undefined);
}

/** The text that a listener has in the end. */
function shownIn(pieces: readonly VisiblePiece[]): string {
  return pieces.reduce((all, { text, replaces }) => (replaces ? text : all + text), '');
}

function cutAt(text: string, cuts: readonly number[]): readonly string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((one, other) => one - other);
  return [...places, text.length].map((place, index) => text.slice(places[index - 1] ?? 0, place));
}

const cuts = fc.array(fc.nat(10_000), { maxLength: 40 });
const everywhere = (text: string): readonly string[] => [...text];

describe('the shown pieces of an answer', () => {
  it.each(realAnswers)('are together the answer without its reasoning: $from', ({ text }) => {
    for (const options of [{}, { isData: true }, { beginsInside: true }]) {
      expect(shownIn(streamed(everywhere(text), options))).toBe(withoutReasoning(text));
    }
  });

  it('are together the answer without its reasoning, for any text and any cut', () => {
    const parts = fc.constantFrom(
      ...['<think>', '</think>', '<thinking a="b">', '</thinking>', '<think/>', '[THINK]', '[/THINK]', '◁think▷'],
      ...['◁/think▷', '<|channel|>', 'analysis', 'final', '<|message|>', '<|end|>', '<|start|>assistant', '<|return|>'],
      ...['<|channel>thought', '<channel|>', '```thinking\n', '\n```\n', '```', '`<think>`', '"</think>"', '<answer>'],
      ...['</answer>', 'assistantfinal', '<|begin_of_solution|>', '<', '[', '{"a": "', '"}', '{"a": 1}', '\n', ' '],
      ...[
        'I think so. ',
        'Okay, the user asks. ',
        'a thought',
        'plain words and more of them ',
        '<b>bold</b>',
        '1 < 2',
      ],
    );
    const texts = fc.array(parts, { maxLength: 14 }).map((all) => all.join(''));
    const options = fc.constantFrom({}, { isData: true }, { beginsInside: true });
    fc.assert(
      fc.property(texts, cuts, options, (text, at, given) => {
        expect(shownIn(streamed(cutAt(text, at), given))).toBe(withoutReasoning(text));
        expect(shownIn(streamed(everywhere(text), given))).toBe(withoutReasoning(text));
      }),
      { numRuns: 2_000 },
    );
  });

  const marks: readonly (readonly [string, string])[] = [
    ['<think>', '</think>'],
    ['<Thinking type="deep">', '</Thinking >'],
    ['<seed:think>', '</seed:think>'],
    ['[THINK]', '[/THINK]'],
    ['◁think▷', '◁/think▷'],
    ['<|START_THINKING|>', '<|END_THINKING|>'],
    ['<|channel>thought', '<channel|>'],
    ['```thinking\n', '\n```\n'],
    ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
    ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>'],
    ['<|begin_of_thought|>', '<|end_of_thought|>\n<|begin_of_solution|>'],
  ];
  const secret = fc.string({ unit: fc.constantFrom('R', 'S', ' ', '\n', '"', '{', "'", '1', '?') });
  const answer = fc
    .string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '.', '<', 'think', '`') })
    .filter((text) => text.trim() !== '' && !/<.{0,3}think|```|<channel/.test(text));

  it.each(marks)('never hold a character of the reasoning between %j and %j, and none is taken back', (open, close) => {
    fc.assert(
      fc.property(fc.constantFrom('', '\n\n'), secret, answer, cuts, (before, reasoning, text, at) => {
        const whole = before + open + reasoning + close + text;
        for (const pieces of [cutAt(whole, at), everywhere(whole)]) {
          const shown = streamed(pieces);
          expect(shown.filter(({ text: piece, replaces }) => replaces || /[RS1?]/.test(piece))).toEqual([]);
          expect(shownIn(shown)).toBe(withoutReasoning(whole));
        }
      }),
    );
  });

  it('come while the answer arrives, in prose, in data, and behind reasoning', () => {
    const prose = 'The harbor opens at six, and I think that no ferry leaves before seven. '.repeat(20);
    const data = '{"lines": ["one", "two <b>three</b>"], "thought": "four"}';
    for (const text of [prose, data, `<think>Hmm.</think>\n${prose}`, `<think>a {"b</think>${data}`]) {
      const visible = visibleText({ isData: text.endsWith(data) });
      let shown = '';
      let most = 0;
      [...text].forEach((piece, index) => {
        shown += visible.take(piece)?.text ?? '';
        most = Math.max(most, withoutReasoning(text.slice(0, index + 1)).trimEnd().length - shown.length);
      });
      expect(most).toBeLessThan(40);
    }
  });

  it('wait for the end, or a mark, when the answer begins like reasoning without its opening mark', () => {
    const answered = 'Okay, the user wants a time. Six it is.</think>At six.';
    expect(
      streamed(everywhere(answered))
        .map(({ text }) => text)
        .join(''),
    ).toBe('At six.');
    expect(shownIn(streamed(['Okay, it opens at six.']))).toBe('Okay, it opens at six.');
  });

  it('are replaced when a closing mark tells that they were reasoning, which is known of the model from then on', () => {
    const text = 'The time of the harbor is needed. Six.</think>It opens at six.';
    const visible = visibleText();
    const pieces = [...text].flatMap((piece) => visible.take(piece) ?? []);
    expect(pieces.filter(({ replaces }) => replaces)).toHaveLength(1);
    visible.end();
    expect(visible.beganInside()).toBe(true);
    expect(
      streamed(everywhere(text), { beginsInside: true })
        .map((piece) => piece.text)
        .join(''),
    ).toBe('It opens at six.');
  });

  it('take no time that grows with the square of the length', () => {
    const line = 'I think {"a": [1, 2]} <b>is</b> `fine`.\n';
    for (const text of [line.repeat(20_000), `Okay, ${'plain words '.repeat(60_000)}`]) {
      expect(shownIn(streamed(text.match(/.{1,4}/gs) ?? []))).toBe(text);
    }
  });
});
