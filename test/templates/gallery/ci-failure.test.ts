// The template ci-failure names the changes that were planted, in the sample and in other projects with other tools.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyOf, runIn } from './run-template.ts';

interface Verdict {
  readonly causes: readonly {
    readonly subject: string;
    readonly file: string;
    readonly certainty: string;
    readonly broke: readonly { readonly test: string }[];
  }[];
  readonly not_by_a_change: readonly { readonly test: string }[];
  readonly unexplained: readonly { readonly test: string }[];
  readonly report: string;
}

const brokenBy = ({ causes }: Verdict): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(causes.map(({ subject, broke }) => [subject, broke.map(({ test }) => test)]));

interface Change {
  readonly subject: string;
  readonly files: Readonly<Record<string, string>>;
}

/** A real history, made by git, of everything after the first change; and the checkout at its end. */
function historyOf(changes: readonly Change[]): {
  readonly patch: string;
  readonly files: Readonly<Record<string, string>>;
} {
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ola Moe', '-c', 'user.email=ola@example.com', ...words], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
  git('init', '-q', '-b', 'main');
  changes.forEach(({ subject, files }, at) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    git('add', '-A');
    git('commit', '-q', '-m', subject);
    if (at === 0) git('tag', 'green');
  });
  const patch = git('log', '-p', 'green..HEAD');
  return { patch, files: Object.assign({}, ...changes.map((each) => each.files)) };
}

describe('the sample', () => {
  it('was broken by two of its eighteen changes, and one failure is the network', async () => {
    const { report, output } = await runIn<Verdict>(copyOf('ci-failure'));
    expect(report).toMatchObject({ status: 'completed', partial: false });
    expect(brokenBy(output)).toEqual({
      'Round like the ledger': [
        'test/discounts.test.ts > gives five percent from a hundred parcels on',
        'test/invoice.test.ts > adds up quotes for a regular customer',
      ],
      'Accept the prefix of a country before a postcode': [
        'test/address.test.ts > parseAddress > reads an address without a place',
      ],
    });
    expect(output.not_by_a_change.map(({ test }) => test)).toEqual([
      'test/exchange.test.ts > knows the price of a krona',
    ]);
    expect(output.unexplained).toEqual([]);
  });

  it('is explained without the checkout too, as far as the stacks go', async () => {
    const { output } = await runIn<Verdict>(copyOf('ci-failure'), { input: { checkout: '' } });
    expect(brokenBy(output)).toEqual({
      'Accept the prefix of a country before a postcode': [
        'test/address.test.ts > parseAddress > reads an address without a place',
      ],
    });
    expect([output.not_by_a_change.length, output.unexplained.length]).toEqual([1, 2]);
  });

  it('cites lines of the log that say what it claims', async () => {
    const folder = copyOf('ci-failure');
    const { output } = await runIn<Verdict>(folder);
    const log = readFileSync(join(folder, 'data/ci.log'), 'utf8').split('\n');
    const cited = [
      ...readFileSync(join(folder, output.report), 'utf8').matchAll(/\| (.*?) \| .*data\/ci\.log:(\d+) \|/g),
    ];
    expect(cited).toHaveLength(4);
    for (const [, test = '', line] of cited) expect(log[Number(line) - 1]).toContain(test);
  });
});

describe('a Python project', () => {
  const stock = `class Stock:
    def __init__(self):
        self.items = {}

    def add(self, sku, count):
        self.items[sku] = self.items.get(sku, 0) + count

    def take(self, sku, count):
        left = self.items[sku] - count
        self.items[sku] = left
        return left
`;
  const tests = `from shop.stock import Stock


def test_take_leaves_the_rest():
    stock = Stock()
    stock.add("tea", 5)
    assert stock.take("tea", 2) == 3


def test_take_of_unknown_item_raises():
    stock = Stock()
    try:
        stock.take("rum", 1)
    except KeyError:
        return
    raise AssertionError("no KeyError")
`;
  const log = `2026-10-02T07:11:54.0012345Z ============================= test session starts ==============================
2026-10-02T07:11:54.0112345Z platform linux -- Python 3.13.1, pytest-8.3.4, pluggy-1.5.0
2026-10-02T07:11:54.1012345Z collected 9 items
2026-10-02T07:11:54.2012345Z
2026-10-02T07:11:54.2112345Z tests/test_stock.py F.                                                   [ 22%]
2026-10-02T07:11:54.2212345Z =================================== FAILURES ===================================
2026-10-02T07:11:54.2312345Z __________________________ test_take_leaves_the_rest ___________________________
2026-10-02T07:11:54.2412345Z
2026-10-02T07:11:54.2512345Z     def test_take_leaves_the_rest():
2026-10-02T07:11:54.2612345Z         stock = Stock()
2026-10-02T07:11:54.2712345Z         stock.add("tea", 5)
2026-10-02T07:11:54.2812345Z >       assert stock.take("tea", 2) == 3
2026-10-02T07:11:54.2912345Z E       assert 4 == 3
2026-10-02T07:11:54.3012345Z E        +  where 4 = take('tea', 2)
2026-10-02T07:11:54.3112345Z E        +    where take = <shop.stock.Stock object at 0x7f2a>.take
2026-10-02T07:11:54.3212345Z
2026-10-02T07:11:54.3312345Z tests/test_stock.py:7: AssertionError
2026-10-02T07:11:54.3412345Z ____________________________ test_mirror_is_reachable __________________________
2026-10-02T07:11:54.3512345Z
2026-10-02T07:11:54.3612345Z >       assert requests.get(MIRROR).ok
2026-10-02T07:11:54.3712345Z E       requests.exceptions.ConnectionError: HTTPSConnectionPool(host='mirror.example', port=443): Max retries exceeded with url: /
2026-10-02T07:11:54.3812345Z
2026-10-02T07:11:54.3912345Z tests/test_mirror.py:12: ConnectionError
2026-10-02T07:11:54.4012345Z =========================== short test summary info ============================
2026-10-02T07:11:54.4112345Z FAILED tests/test_stock.py::test_take_leaves_the_rest - assert 4 == 3
2026-10-02T07:11:54.4212345Z ========================= 2 failed, 7 passed in 0.31s ==========================
`;

  it('has one change to blame, and a mirror that was not reachable', async () => {
    const { patch, files } = historyOf([
      {
        subject: 'Keep stock',
        files: {
          'shop/__init__.py': '',
          'shop/stock.py': stock,
          'tests/test_stock.py': tests,
          'shop/prices.py': 'PRICE = 3\n',
        },
      },
      { subject: 'Raise the price of tea', files: { 'shop/prices.py': 'PRICE = 4\n' } },
      {
        subject: 'Count items that were taken',
        files: { 'shop/stock.py': stock.replace('- count', '- min(count, 1)') },
      },
      {
        subject: 'Describe the stock',
        files: { 'shop/stock.py': `# Items by their number.\n${stock.replace('- count', '- min(count, 1)')}` },
      },
      {
        subject: 'Explain the tests of the stock',
        files: {
          'tests/test_stock.py': `${tests}
# The end.
`,
        },
      },
    ]);
    const folder = copyOf('ci-failure', { 'mine/job.txt': log, 'mine/log.patch': patch });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, 'mine/tree', path)), { recursive: true });
      writeFileSync(join(folder, 'mine/tree', path), text);
    }
    const { output } = await runIn<Verdict>(folder, {
      input: { log: 'mine/job.txt', history: 'mine/log.patch', checkout: 'mine/tree' },
    });
    expect(brokenBy(output)).toEqual({ 'Count items that were taken': ['test_take_leaves_the_rest'] });
    expect(output.not_by_a_change.map(({ test }) => test)).toEqual(['test_mirror_is_reachable']);
  });
});

describe('a Rust project', () => {
  const lib =
    'pub fn leap(year: u32) -> bool {\n    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)\n}\n\npub fn days(year: u32) -> u32 {\n    if leap(year) { 366 } else { 365 }\n}\n';
  it('is judged by the panic and the compiler error in its log, without a checkout', async () => {
    const { patch } = historyOf([
      {
        subject: 'Count days',
        files: {
          'src/lib.rs': lib,
          'src/parse.rs': 'pub fn year(text: &str) -> u32 {\n    text.parse().unwrap()\n}\n',
        },
      },
      {
        subject: 'Simplify leap years',
        files: { 'src/lib.rs': lib.replace(' && (year % 100 != 0 || year % 400 == 0)', '') },
      },
      {
        subject: 'Read negative years',
        files: {
          'src/parse.rs':
            'pub fn year(text: &str) -> u32 {\n    let number: i32 = text.parse().unwrap();\n    number\n}\n',
        },
      },
      { subject: 'Thank the contributors', files: { 'README.md': 'Thanks.\n' } },
    ]);
    const log = `error[E0308]: mismatched types
 --> src/parse.rs:3:5
  |
1 | pub fn year(text: &str) -> u32 {
  |                            --- expected \`u32\` because of return type
3 |     number
  |     ^^^^^^ expected \`u32\`, found \`i32\`

failures:

---- tests::century_is_no_leap_year stdout ----

thread 'tests::century_is_no_leap_year' panicked at src/lib.rs:2:5:
assertion \`left == right\` failed: days(1900)
  left: 366
 right: 365
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace

failures:
    tests::century_is_no_leap_year
`;
    const folder = copyOf('ci-failure', { 'data/ci.log': log, 'data/history.patch': patch });
    const { output } = await runIn<Verdict>(folder, { input: { checkout: '' } });
    expect(brokenBy(output)).toEqual({
      'Simplify leap years': ['tests::century_is_no_leap_year'],
      'Read negative years': ['src/parse.rs:3'],
    });
  });
});

describe('a log without a failure', () => {
  it('fails the run with a sentence that says so', async () => {
    const { report } = await runIn<Verdict>(copyOf('ci-failure', { 'data/ci.log': 'all good\n' }));
    expect(report.status).toBe('failed');
    expect(JSON.stringify(report)).toContain('the log shows no failure that this template can read');
  });
});
