// The tool `fetch_context`: a result by reference and path, within a cap.
import { describe, expect, it } from 'vitest';
import { type FetchRequest, fetchContext } from '../../src/context/fetch.ts';

const rows = Array.from({ length: 100 }, (_, at) => ({ id: at, state: 'ok' }));
const step = { name: 'list', attempt: 2, status: 'completed' };
const records = [
  { ...step, id: 'plan.1/list', result: { rows, token: 'hidden from all' }, elide: ['token'] },
  { ...step, id: 'plan.1/none' },
];
const fetch = (request: Partial<FetchRequest>) =>
  fetchContext({ records, ref: 'plan.1/list#2', maxBytes: 10_000, ...request });

describe('fetching a result', () => {
  it('returns the part at a path, whole while it fits', () => {
    expect(fetch({ path: 'rows.7' })).toEqual({
      ok: true,
      warnings: [],
      value: { ref: 'plan.1/list#2', shown: 'included', value: rows[7], bytes: { before: 21, after: 21 } },
    });
    expect(fetch({ path: 'rows.*.id' })).toMatchObject({ value: { value: rows.map(({ id }) => id) } });
    expect(fetch({ ref: 'plan.1/list', path: 'rows' })).toMatchObject({ value: { value: rows } });
  });

  it('shrinks a part above the cap, and says so', () => {
    expect(fetch({ path: 'rows', maxBytes: 300 })).toMatchObject({
      value: { shown: 'shrunk', value: { $count: 100, state: { $counts: { ok: 100 } } } },
    });
    expect(fetch({ path: 'rows', maxBytes: 5 })).toMatchObject({
      value: { shown: 'outlined', value: { $count: 100 } },
    });
  });

  it('never returns hidden fields', () => {
    expect(fetch({ path: 'token' })).toMatchObject({ value: { shown: 'shrunk', value: '$elided' } });
    expect(JSON.stringify(fetch({}))).not.toContain('hidden');
  });

  it('fails for an unknown reference or path with an issue that names a known one', () => {
    expect(fetch({ ref: 'plan.1/lst#2' })).toMatchObject({
      error: [{ code: 'CONTEXT_REF_UNKNOWN', hint: 'did you mean "plan.1/list#2"?' }],
    });
    expect(fetch({ ref: 'plan.1/list#1' })).toMatchObject({ error: [{ code: 'CONTEXT_REF_UNKNOWN' }] });
    expect(fetch({ ref: 'plan.1/none' })).toMatchObject({ error: [{ message: '"plan.1/none" left no value' }] });
    expect(fetch({ path: 'rows.3.stat' })).toMatchObject({
      error: [{ code: 'CONTEXT_PATH_UNKNOWN', hint: 'did you mean "state"?' }],
    });
  });
});
