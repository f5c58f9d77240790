// The language from the command line: one expression on data, or many as lines.
import { describe, expect, it } from 'vitest';
import { project, reconverge } from './reconverge.ts';

describe('lisp -e', () => {
  it('prints the value as JSON', async () => {
    expect(await reconverge(['lisp', '-e', '{:a [1 (+ 1 1)]}'])).toEqual({
      code: 0,
      stdout: '{"a":[1,2]}\n',
      stderr: '',
    });
  });

  it('reads data from a file', async () => {
    const cwd = project({ 'orders.json': '{ "orders": [{ "price": 2 }, { "price": 3 }] }' });
    const { stdout } = await reconverge(['lisp', '-e', '(sum-by :price data/orders)', '--data', 'orders.json'], {
      cwd,
    });
    expect(stdout).toBe('5\n');
  });

  it('prints EDN with --edn', async () => {
    expect((await reconverge(['lisp', '-e', '#{:b :a}', '--edn'])).stdout).toBe('#{:a :b}\n');
  });

  it('points at an error', async () => {
    const { code, stderr } = await reconverge(['lisp', '-e', '(+ 1 (foo 2))']);
    expect(code).toBe(1);
    expect(stderr).toContain('-e:1:7: error LISP_UNBOUND');
    expect(stderr).toMatch(/\| {7}\^/);
  });

  it('refuses a call without exactly one expression', async () => {
    expect((await reconverge(['lisp', '-e', '1', '--jsonl'])).code).toBe(2);
    expect((await reconverge(['lisp', 'repl', '-e', '1'])).code).toBe(2);
    expect((await reconverge(['lisp', '(+ 1 2)'])).stderr).toContain("give -e '(+ 1 2)'");
    expect((await reconverge(['lisp', '-e', '1', '--data', 'nowhere.json'])).code).toBe(2);
  });

  it('keeps to the given limits', async () => {
    const { code, stderr } = await reconverge(['lisp', '-e', '(count (range 2000))', '--limit', 'fuel=1k']);
    expect(code).toBe(1);
    expect(stderr).toContain('used up its 1000 units of fuel');
  });

  it('refuses an unknown limit', async () => {
    const { code, stderr } = await reconverge(['lisp', '-e', '1', '--limit', 'deph=3']);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "depth"?');
    expect((await reconverge(['lisp', '-e', '1', '--limit', 'fuel=much'])).code).toBe(2);
  });
});

describe('lisp --jsonl', () => {
  const lines = (...requests: readonly object[]): string =>
    requests.map((request) => JSON.stringify(request)).join('\n');
  const answers = (stdout: string): unknown[] =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('answers each line with a value or an error, in order', async () => {
    const stdin = lines(
      { id: 'a', expr: '(inc data/n)', context: { n: 1 } },
      { id: 'b', expr: '(+ 1\n  nil)' },
      { id: 3, expr: '(' },
    );
    const { code, stdout } = await reconverge(['lisp', '--jsonl'], { stdin });
    expect(code).toBe(0);
    expect(answers(stdout)).toEqual([
      { id: 'a', value: 2 },
      { id: 'b', error: { code: 'LISP_TYPE', message: expect.any(String), line: 1, column: 1 } },
      { id: 3, error: { code: 'LISP_PARSE', message: expect.any(String), line: 1, column: expect.any(Number) } },
    ]);
  });

  it('answers in EDN with --edn', async () => {
    const { stdout } = await reconverge(['lisp', '--jsonl', '--edn'], { stdin: lines({ id: 1, expr: '{:a 1}' }) });
    expect(answers(stdout)).toEqual([{ id: 1, edn: '{:a 1}' }]);
  });

  it('names an unreadable line, continues, and exits with 1', async () => {
    const { code, stdout } = await reconverge(['lisp', '--jsonl'], { stdin: 'what?\n{"id":1,"expr":"1"}\n' });
    expect(code).toBe(1);
    expect(answers(stdout)).toMatchObject([
      { id: null, error: { code: 'LINE_UNREADABLE' } },
      { id: 1, value: 1 },
    ]);
  });
});
