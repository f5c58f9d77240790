// The texts that models write at this moment: bounded, replaced when they proved to be reasoning, and gone at their end.
import { describe, expect, it } from 'vitest';
import { plainText } from '../../src/view/line.ts';
import { liveTextLines, liveTexts, MOST_KEPT } from '../../src/view/live-texts.ts';

const call = { run: 'r1', step: 'tell', attempt: 1, call: 1, model: 'default', purpose: 'turn' } as const;

describe('live texts', () => {
  it('grow with each piece, are replaced, and end with their call', () => {
    const texts = liveTexts();
    texts.take({ ...call, text: 'Once ' });
    texts.take({ ...call, step: 'other', text: 'Elsewhere' });
    texts.take({ ...call, text: 'upon' });
    expect(texts.all().map(({ step, text }) => [step, text])).toEqual([
      ['other', 'Elsewhere'],
      ['tell', 'Once upon'],
    ]);
    texts.take({ ...call, text: 'A harbor', replaces: true });
    expect(texts.all().at(-1)).toMatchObject({ text: 'A harbor', isCut: false });
    texts.take({ ...call, text: '.', isLast: true });
    expect(texts.all().map(({ step }) => step)).toEqual(['other']);
  });

  it('keep the end of a long text only, and never half a character', () => {
    const texts = liveTexts();
    for (let i = 0; i < 3_000; i++) texts.take({ ...call, text: '⛵🚢' });
    const [text] = texts.all();
    expect(text?.isCut).toBe(true);
    expect(text?.text.length).toBeLessThanOrEqual(MOST_KEPT);
    expect(text?.text.isWellFormed()).toBe(true);
  });
});

describe('the lines of live texts', () => {
  const lines = (rows: number, columns = 40): readonly string[] => {
    const texts = liveTexts();
    texts.take({ ...call, text: 'One.\n\nTwo goes on \u001b[2Jand on, until it is longer than its line.' });
    texts.take({ ...call, run: 'r2', purpose: 'plan', text: 'Three.' });
    return liveTextLines(texts.all(), { run: 'r1', columns, rows }).map(plainText);
  };

  it('show the end of each text under its step, and the run of a step of a child run', () => {
    expect(lines(8)).toEqual([
      '  tell  model default (turn)',
      '    One.',
      '    Two goes on  [2Jand on, until it is',
      '    longer than its line.',
      '  tell of run r2  model default (plan)',
      '    Three.',
    ]);
  });

  it('take no more rows than they are given, and leave out the oldest texts first', () => {
    expect(lines(3)).toEqual(['  tell of run r2  model default (plan)', '    Three.']);
    for (let rows = 0; rows < 12; rows++) expect(lines(rows, 12).length).toBeLessThanOrEqual(rows);
  });
});
