// The REPL as a real process with piped input.
import { describe, expect, it } from 'vitest';
import { project, reconverge } from './reconverge.ts';

const typed = (stdin: string, ...flags: string[]) => reconverge(['lisp', ...flags], { stdin });

describe('the REPL', () => {
  it('prints the value of each form as EDN, without a prompt in a pipe', async () => {
    const said = { code: 0, stdout: '3\n:a\n#{1 2}\n', stderr: '' };
    expect(await typed('(+ 1 2)\n:a #{2 1}\n')).toEqual(said);
    expect(await typed('(+ 1 2)\n:a #{2 1}', 'repl')).toEqual(said);
  });

  it('reads more lines until a form is complete', async () => {
    const { stdout, stderr } = await typed('(str "a\n" ; not yet )\n #_ left\n \'b\n)\n[1\n\n 2]');
    expect({ stdout, stderr }).toEqual({ stdout: '"a\\nb"\n[1 2]\n', stderr: '' });
  });

  it('reports an invalid form without waiting for more lines', async () => {
    const { code, stdout, stderr } = await typed('(+ 1]\n{:a}\n(inc 1)\n');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '2\n' });
    expect(stderr).toContain('input:1:5: error LISP_PARSE');
    expect(stderr).toContain('input:2:1: error LISP_PARSE');
  });

  it('names the open form when the input ends', async () => {
    const { code, stderr } = await typed('1\n(+ 1\n  "two');
    expect(code).toBe(1);
    expect(stderr).toContain('input:3:3: error LISP_PARSE: the source ends inside a string');
  });

  it('keeps definitions', async () => {
    const { stdout } = await typed('(def n 20)\n(defn twice [x]\n  (* 2 x))\n(+ 2 (twice n))\n(def n 1)\n(twice n)\n');
    expect(stdout).toBe("#'n\n#'twice\n42\n#'n\n2\n");
  });

  it('defines nothing when the form fails', async () => {
    const { stdout, stderr } = await typed('(do (def n 1) (+ n nil))\nn\n');
    expect(stdout).toBe('');
    expect(stderr).toContain('input:2:1: error LISP_UNBOUND: "n" is unknown');
  });

  it('points into an earlier definition if the error is there', async () => {
    const { stderr } = await typed('1\n(defn f [x]\n  (+ x\n     nil))\n2\n  (f 1)\n');
    expect(stderr).toMatch(/^input:3:3: error LISP_TYPE: .*\n {4}3 \| {3}\(\+ x\n/);
  });

  it('points at an error in the typed columns', async () => {
    const { stderr } = await typed('(def a 1)\n(+ a a) (+ a\n   foo)\n');
    expect(stderr).toMatch(/^input:3:4: error LISP_UNBOUND: .*\n {4}3 \| {4}foo\)\n {6}\| {4}\^~~\n/);
  });

  it('remembers the last three values', async () => {
    const { stdout } = await typed('1\n{:b #{:c}}\n"3"\n[*1 *2 *3]\n(def kept *1)\n9\nkept\n');
    expect(stdout.split('\n').slice(3)).toEqual(['["3" {:b #{:c}} 1]', "#'kept", '9', '["3" {:b #{:c}} 1]', '']);
  });

  it('grants each form the full limits, regardless of earlier definitions', async () => {
    const define = (name: string) => `(def ${name} (reduce + (range 400)))\n`;
    const { stdout, stderr } = await typed(
      `${['a', 'b', 'c'].map(define).join('')}(+ a b c (reduce + (range 400)))\n(reduce + (range 1000))\n`,
      '--limit',
      'fuel=1k',
    );
    expect(stdout.split('\n')[3]).toBe('319200');
    expect(stderr).toContain('input:5:');
    expect(stderr).toContain('LISP_OUT_OF_FUEL');
  });

  it('reads data, and knows the names in it', async () => {
    const cwd = project({ 'shop.json': '{ "orders": [{ "price": 2 }, { "price": 3 }] }' });
    const stdin = '(sum-by :price data/orders)\ndata/order\n';
    const { stdout, stderr } = await reconverge(['lisp', '--data', 'shop.json'], { cwd, stdin });
    expect(stdout).toBe('5\n');
    expect(stderr).toContain('did you mean "data/orders"?');
  });

  it('answers in JSON lines with --json', async () => {
    const { stdout } = await typed('{:a 1}\n(foo)\ninc\n(doc inc)\n', '--json');
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { value: { a: 1 } },
      { issues: [{ code: 'LISP_UNBOUND', place: { line: 2, column: 2 } }] },
      { issues: [{ code: 'LISP_TYPE', hint: '--edn shows every value' }] },
      { doc: expect.stringContaining('inc') },
    ]);
  });

  it('prints help, and exits on request', async () => {
    const { code, stdout, stderr } = await typed(':help\n:quit\n1\n');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('(doc name)');
  });
});

describe('(doc name)', () => {
  it('shows arguments, a description, an example and the price of a builtin', async () => {
    const { stdout } = await typed('(doc get-in)\n');
    expect(stdout).toMatch(/^get-in {2}takes 2–3\n/);
    expect(stdout).toContain('(get-in {:a [{:b 1}]} [:a 0 :b]) ;=> 1');
    expect(stdout).toContain('burns at most 1 + n');
  });

  it('shows the shape of a special form', async () => {
    expect((await typed('(doc if-let)\n')).stdout).toContain('(if-let [pattern test] then else?)');
  });

  it('shows the definition of a defined name', async () => {
    expect((await typed('(defn half [x]\n  (/ x 2))\n(doc half)\n')).stdout).toContain('(defn half [x]\n  (/ x 2))');
  });

  it('suggests the nearest name for an unknown name, and points at it', async () => {
    const { code, stderr } = await typed('(doc frequences)\n');
    expect(code).toBe(1);
    expect(stderr).toContain('input:1:6: error LISP_UNBOUND');
    expect(stderr).toContain('did you mean "frequencies"?');
  });
});
