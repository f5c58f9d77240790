// Wrapping on narrow screens: the places of line breaks, and the words that are never broken.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, copyable, hanging, type Line, plainText, shorten, span, widthOf } from '../../src/view/line.ts';
import { table } from '../../src/view/table.ts';
import { wrap } from '../../src/view/wrap.ts';

function wrapped(line: Line, columns: number): readonly string[] {
  return wrap(line, columns).map((each) => plainText(each).trimEnd());
}

describe('a line', () => {
  it('stays unchanged if it fits, or if the width is unknown', () => {
    const line = [span('  a  b')];
    expect(wrap(line, 6)).toEqual([line]);
    expect(wrap([span('x '.repeat(500))], Number.POSITIVE_INFINITY)).toHaveLength(1);
  });

  it('breaks between words, and continues indented', () => {
    expect(wrapped([span('  the first of seven words')], 16)).toEqual(['  the first of', '    seven words']);
  });

  it('continues under its hanging text', () => {
    const line = [span('because     '), hanging('one look at seven of the seven files')];
    expect(wrapped(line, 34)).toEqual(['because     one look at seven of', '            the seven files']);
  });

  it('continues at the left if the hanging text has no room', () => {
    const line = [span('a label as long as a sentence '), hanging('one look at seven of the seven files')];
    expect(wrapped(line, 40)).toEqual(['a label as long as a sentence one look', '  at seven of the seven files']);
  });

  it('never breaks a word or a text to copy', () => {
    const command = 'reconverge gates k2m9 g1';
    expect(wrapped([span('see one whole: '), copyable(command)], 30)).toEqual(['see one whole:', `  ${command}`]);
    expect(wrapped([span('an identifier_that_is_longer_than_a_line is')], 20)).toEqual([
      'an',
      '  identifier_that_is_longer_than_a_line',
      '  is',
    ]);
  });

  it('keeps its tones, even several in one word', () => {
    const lines = wrap([span('it failed', 'bad'), span(': it fell over')], 12);
    expect(lines.map(plainText)).toEqual(['it failed:', '  it fell', '  over']);
    expect(lines[0]?.find(({ text }) => text === 'failed')?.tone).toBe('bad');
    expect(lines[0]?.find(({ text }) => text === ':')).not.toHaveProperty('tone');
  });

  it('loses no word, and exceeds the width only for a longer word', () => {
    const words = fc.array(fc.stringMatching(/^[a-zé漢😀]{1,12}$/u), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(words, fc.integer({ min: 16, max: 60 }), (given, columns) => {
        const lines = wrap([span('  '), span(given.join(' '))], columns);
        expect(lines.flatMap((line) => plainText(line).split(/\s+/)).filter((word) => word !== '')).toEqual(given);
        const widest = Math.max(...given.map(columnsOf));
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(Math.max(columns, widest + 4));
      }),
    );
  });
});

describe('a table', () => {
  const columns = [{ title: 'step' }, { title: 'cost', align: 'right' as const }, { title: 'does' }];
  const row = (step: string, cost: string, does: string) => [span(step), span(cost), span(does)];
  const rows = [row('fetch', '$0.10', 'fetches what lies at an address'), row('compare_all', '$12.00', 'compares')];

  it('breaks within cells and keeps the columns aligned', () => {
    expect(table(columns, rows).flatMap((line) => wrapped(line, 40))).toEqual([
      'step           cost  does',
      'fetch         $0.10  fetches what lies',
      '                     at an address',
      'compare_all  $12.00  compares',
    ]);
  });

  it('stays unchanged if it fits', () => {
    const all = table(columns, rows);
    expect(all.flatMap((line) => wrapped(line, 52))).toEqual(all.map((line) => plainText(line).trimEnd()));
  });

  it('puts a column without room below its row', () => {
    const long = [row('compare_everything', '$12.00', 'by budget.max_total_planning_phases')];
    expect(table(columns, long).flatMap((line) => wrapped(line, 40))).toEqual([
      'step                  cost',
      '    does',
      'compare_everything  $12.00',
      '    by budget.max_total_planning_phases',
    ]);
  });

  it('never breaks a whole column', () => {
    const dated = [{ title: 'started', whole: true as const }, { title: 'template' }];
    const lines = table(dated, [[span('2026-03-01 12:00'), span('a name of many words')]]);
    expect(lines.flatMap((line) => wrapped(line, 28))).toEqual([
      'started           template',
      '2026-03-01 12:00  a name of',
      '                  many words',
    ]);
  });
});

describe('a shortened line', () => {
  it('ends with a word, so that no code is cut', () => {
    expect(plainText(shorten([span('failed  '), span('COLUMN_UNKNOWN: no column')], 26))).toBe(
      'failed  COLUMN_UNKNOWN:…',
    );
    expect(plainText(shorten([span('it has failed  '), span('COLUMN_UNKNOWN: none')], 26))).toBe('it has failed…');
  });

  it('is cut inside a word that takes most of the line', () => {
    expect(plainText(shorten([span('a '), span('x'.repeat(50))], 10))).toBe('a xxxxxxx…');
  });

  it('counts wide characters as two columns, and combining marks as none', () => {
    expect(columnsOf('漢字')).toBe(4);
    expect(columnsOf('e\u0301')).toBe(1);
    expect(widthOf(shorten([span('漢字'.repeat(20))], 11))).toBeLessThanOrEqual(11);
  });
});
