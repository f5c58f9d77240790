// Suggestions for misspelled words.
import { expect, test } from 'vitest';
import { didYouMean } from '../../src/base/nearest.ts';

const keys = ['type', 'name', 'when', 'input', 'output', 'handler', 'on_failure'];
const meant = (word: string): string | undefined => /"(.*)"/.exec(didYouMean(word, keys) ?? '')?.[1];

test('a word with one letter added, missing or replaced gets a suggestion', () => {
  expect(['intput', 'inpt', 'imput', 'Output'].map(meant)).toEqual(['input', 'input', 'input', 'output']);
});

test('a word with two swapped neighboring letters gets a suggestion, even if it is short', () => {
  expect(['tpye', 'nmae', 'wehn', 'typ', 'hanlder', 'on_faliure'].map(meant)).toEqual([
    'type',
    'name',
    'when',
    'type',
    'handler',
    'on_failure',
  ]);
});

test('a unique word that contains all parts, or is contained, is suggested', () => {
  const known = ['expires_in', 'max', 'max_replan_attempts', 'plan_review', 'timeout', 'files.list', 'replan_cooldown'];
  const meant = (word: string): string | undefined => /"(.*)"/.exec(didYouMean(word, known) ?? '')?.[1];
  expect(['expires', 'review', 'cooldown', 'timeout_ms', 'list'].map(meant)).toEqual([
    'expires_in',
    'plan_review',
    'replan_cooldown',
    'timeout',
    'files.list',
  ]);
  expect(['max_attempts', 'in', 'on_failure'].map(meant)).toEqual([undefined, undefined, undefined]);
});

test('a word far from all known words has no suggestion', () => {
  expect(['epyt', 'ty', 'x', 'convergence', ''].map(meant)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('up to three equally near names are suggested together', () => {
  expect(didYouMean('fetch_c', ['fetch_a', 'fetch_b'])).toBe('did you mean "fetch_a" or "fetch_b"?');
  expect(didYouMean('fetch_x', ['fetch_a', 'fetch_b', 'fetch_c'])).toBe(
    'did you mean "fetch_a", "fetch_b" or "fetch_c"?',
  );
  expect(didYouMean('fetch_x', ['fetch_a', 'fetch_b', 'fetch_c', 'fetch_d'])).toBeUndefined();
});

test('a word that only shares a long prefix, or differs in a number, is not suggested', () => {
  expect(didYouMean('hub_tools.segment', ['hub_tools.translate', 'hub_tools.classify'])).toBeUndefined();
  expect(didYouMean('step_4', ['step_1', 'step_2'])).toBeUndefined();
});
