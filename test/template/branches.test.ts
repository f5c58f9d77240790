// Branches of decisions before a run: what may be null where they join, and what would be skipped by surprise.
import { describe, expect, it } from 'vitest';
import { findings } from './given-steps.ts';

const compute = (name: string, after: string, expr = '1', more = '') =>
  `  - { name: ${name}, type: compute, after: [${after}], expr: !lisp "${expr}"${more} }\n`;
const decision = (name: string, after: string, ...branches: string[]) =>
  `  - { name: ${name}, type: decision, after: [${after}], branches: [${branches.join(', ')}], choose: !lisp "nil" }\n`;

const look = compute('look', '');
const route = `${look}${decision('route', 'look', 'a', 'b')}${compute('a', 'route')}${compute('b', 'route')}`;
const mode = `${decision('mode', 'look', 'p', 'q')}${compute('p', 'mode')}${compute('q', 'mode')}`;

describe('a step that depends on branches of decisions', () => {
  it('joins the branches of one decision', () => {
    expect(findings(route + compute('join', 'a, b'))).toEqual([]);
    expect(findings(route + compute('join', 'a, b, look'))).toEqual([]);
  });

  it('is reported when it depends on branches of two decisions', () => {
    expect(findings(route + mode + compute('join', 'a, p'))).toEqual(['BRANCHES_MIXED steps.7.after.1']);
  });

  it('is accepted with a condition, or as a deferred step', () => {
    expect(findings(route + mode + compute('join', 'a, p', '1', ', when: !lisp "true"'))).toEqual([]);
    expect(findings(`${route}${mode}  - { name: join, type: deferred, after: [a, p] }\n`)).toEqual([]);
  });

  it('may depend on branches of two decisions if one decision is in a branch of the other', () => {
    const inner = `${decision('mode', 'a', 'p', 'q')}${compute('p', 'mode')}${compute('q', 'mode')}`;
    expect(findings(route + inner + compute('follow', 'a, p'))).toEqual([]);
    expect(findings(route + inner + compute('join', 'p, q, b'))).toEqual([]);
  });

  it('may depend on joins of two decisions', () => {
    const joins = compute('left', 'a, b') + compute('right', 'p, q') + compute('all', 'left, right');
    expect(findings(route + mode + joins)).toEqual([]);
  });
});

describe('a reference to a branch', () => {
  const sniff = (name: string) => `  - { name: ${name}, handler: files.list, after: [route], input: { folder: a } }\n`;
  const sniffed = `${look}${decision('route', 'look', 'a', 'b')}${sniff('a')}${sniff('b')}`;
  const read = (input: string, after: string) =>
    `  - { name: use, handler: csv.sniff, after: [${after}], input: { path: "${input}" } }\n`;

  it('may be null at the step that joins the branches', () => {
    expect(findings(sniffed + read('{{ results.a.note }}', 'a, b'))).toEqual(['CONTRACT_MISMATCH steps.4.input.path']);
    expect(findings(sniffed + read('{{ depends.a.note }}', 'a, b'))).toEqual(['CONTRACT_MISMATCH steps.4.input.path']);
  });

  it('is never null within the branch', () => {
    expect(findings(sniffed + read('{{ results.a.note }}', 'a'))).toEqual([]);
  });
});
