// Results of the library as values or exceptions.
import { describe, expect, it } from 'vitest';
import { createEngine, IssuesError, openMemoryJournal, orThrow } from '../../src/index.ts';

describe('orThrow', () => {
  const engine = createEngine({ journal: openMemoryJournal(), learning: false });

  it('returns the value of a good result', async () => {
    const template = orThrow(await engine.load({ reconverge: 1, name: 'empty', steps: [] }));
    expect(template.name).toBe('empty');
  });

  it('throws the issues of a bad result, with place and hint in the message', async () => {
    const result = await engine.load({ reconverge: 1, name: 'x', steps: [{ name: 'a', type: 'compue', expr: '1' }] });
    expect(() => orThrow(result)).toThrow(IssuesError);
    expect(() => orThrow(result)).toThrow(/^x:\d+:\d+: .*\(did you mean "compute"\?/);
  });
});
