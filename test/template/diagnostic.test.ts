// How issues look to people and to machines.
import { describe, expect, it } from 'vitest';
import { issue } from '../../src/base/issue.ts';
import { issuesToJson, issueText, renderIssue, renderIssues } from '../../src/template/diagnostic.ts';
import { applyMend } from './apply-mend.ts';

const place = { file: 'templates/refund.yaml', line: 2, column: 25, endLine: 2, endColumn: 33 };
const lines = ['steps:', '    convergence_target: finalise', '\tafter: x'];
const unknown = issue('DEPENDENCY_UNKNOWN', 'step "finalise" is not declared', {
  place,
  path: ['steps', 0],
  hint: 'did you mean "finalize"?',
});

describe('a rendered issue', () => {
  it('shows place, code, source line, caret and hint', () => {
    expect(renderIssue(unknown, lines)).toBe(
      [
        'templates/refund.yaml:2:25: error DEPENDENCY_UNKNOWN: step "finalise" is not declared',
        '    2 |     convergence_target: finalise',
        '      |                         ^~~~~~~~',
        '   hint: did you mean "finalize"?',
      ].join('\n'),
    );
  });

  it('shows the first line of a place that spans several lines', () => {
    const wide = { ...unknown, place: { ...place, column: 5, endLine: 3, endColumn: 4 } };
    expect(renderIssue(wide, lines).split('\n')[2]).toBe(`      |     ^${'~'.repeat(27)}`);
  });

  it('keeps tabs, so that the caret is below its text', () => {
    const tabbed = { ...unknown, place: { ...place, line: 3, endLine: 3, column: 9, endColumn: 10 } };
    expect(renderIssue(tabbed, lines).split('\n')[2]).toBe('      | \t       ^');
  });

  it('shows a part of a very long line', () => {
    const long = { ...place, line: 1, endLine: 1, column: 5_001, endColumn: 5_004 };
    const shown = renderIssue({ ...unknown, place: long }, [`${'x'.repeat(5_000)}abc${'y'.repeat(5_000)}`]).split('\n');
    expect(shown[1]?.length).toBeLessThan(200);
    const caret = shown[2]?.indexOf('^') ?? -1;
    expect(shown[1]?.slice(caret, caret + 3)).toBe('abc');
  });

  it('shows the path when the text is unknown', () => {
    const { place: _, ...placeless } = unknown;
    expect(renderIssue(placeless, undefined).split('\n')[0]).toBe(
      'steps[0]: error DEPENDENCY_UNKNOWN: step "finalise" is not declared',
    );
  });

  it('leaves colors to the caller', () => {
    expect(issueText(unknown, lines).head).toContainEqual({ text: 'error DEPENDENCY_UNKNOWN', tone: 'error' });
  });
});

describe('the edit of an issue', () => {
  it('is part of the answer for machines, and solves the problem when it is applied', () => {
    const mend = { title: 'Write "finalize"', edits: [{ place, text: 'finalize' }] };
    const [shown] = issuesToJson([issue('DEPENDENCY_UNKNOWN', 'step "finalise" is not declared', { place, mend })]);
    expect(shown?.mend).toEqual(mend);
    expect(applyMend(lines.join('\n'), mend).split('\n')[1]).toBe('    convergence_target: finalize');
  });
});

describe('several issues', () => {
  it('are sorted by place', () => {
    const first = issue('STEP_ORPHAN', 'first', { place: { ...place, line: 1 }, severity: 'warning' });
    const text = renderIssues([unknown, first], () => lines);
    expect(text.indexOf('STEP_ORPHAN')).toBeLessThan(text.indexOf('DEPENDENCY_UNKNOWN'));
  });

  it('have all their properties in JSON', () => {
    expect(issuesToJson([unknown])).toEqual([
      {
        code: 'DEPENDENCY_UNKNOWN',
        severity: 'error',
        message: 'step "finalise" is not declared',
        path: ['steps', 0],
        place,
        hint: 'did you mean "finalize"?',
      },
    ]);
  });
});
