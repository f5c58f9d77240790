// The hints of a contract.
import { describe, expect, it } from 'vitest';
import { annotationsOf } from '../../src/contract/annotations.ts';

const silent = { keep: false, elide: false, weight: 1, sensitive: false, inferred: false };

describe('the hints of a contract', () => {
  it('are empty by default', () => {
    expect(annotationsOf({ type: 'string' })).toEqual(silent);
  });

  it('are read together', () => {
    const hints = {
      'x-keep': true,
      'x-elide': true,
      'x-sample': 3,
      'x-summary': 'top',
      'x-weight': 2.5,
      'x-sensitive': true,
      'x-inferred': true,
    };
    expect(annotationsOf(hints)).toEqual({
      keep: true,
      elide: true,
      sample: 3,
      summary: 'top',
      weight: 2.5,
      sensitive: true,
      inferred: true,
    });
  });

  it('are ignored when they are invalid', () => {
    expect(annotationsOf({ 'x-keep': 'yes', 'x-sample': 1.5, 'x-summary': 'all', 'x-weight': 0 })).toEqual(silent);
  });

  it('come from the first of several schemas that has them', () => {
    expect(annotationsOf([{ 'x-sample': 2 }, { 'x-sample': 5, 'x-weight': 3 }])).toEqual({
      ...silent,
      sample: 2,
      weight: 3,
    });
  });
});
