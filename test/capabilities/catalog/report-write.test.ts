// report.write prints sections as Markdown, and data cannot break out of its cell.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { reportWrite } from '../../../src/capabilities/catalog/report-write.ts';
import { failureFrom, folderWith, resultFrom } from '../workbench.ts';

async function written(title: string, sections: Json): Promise<string> {
  const base = await folderWith();
  const result = await resultFrom(reportWrite, { path: 'reports/r.md', title, sections }, base);
  const text = await readFile(join(base, 'reports/r.md'), 'utf8');
  expect(result).toEqual({ path: 'reports/r.md', bytes: Buffer.byteLength(text) });
  return text;
}

test('report.write prints headings, paragraphs, lists and tables in that order', async () => {
  const text = await written('What data holds', [
    { text: ['**Two** files.', 'One failed.'] },
    {
      heading: 'orders.csv',
      level: 3,
      list: ['a', 2],
      table: { columns: ['name', 'mean'], rows: [['id', 1 / 3], { mean: null, name: 'total' }, { name: 'left' }] },
    },
    { heading: 'Nothing', list: [], table: { columns: ['a'], rows: [] } },
  ]);
  expect(text).toBe(`# What data holds

**Two** files.

One failed.

### orders.csv

- a
- 2

| name | mean |
| --- | --- |
| id | 0.333333 |
| total |  |
| left |  |

## Nothing
`);
});

test('report.write keeps data in its cell', async () => {
  const text = await written('a\n# b', [
    { text: '<script>', heading: '<b>', table: { columns: ['x|y'], rows: [['a|b\nc `d` [e](f) \\']] } },
  ]);
  expect(text).toBe(`# a # b

## &lt;b>

&lt;script>

| x\\|y |
| --- |
| a\\|b c \\\`d\\\` \\[e\\](f) \\\\ |
`);
});

test('report.write gives every row of a table the same number of cells', async () => {
  const rows = fc.array(fc.tuple(fc.string(), fc.string()), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rows, async (cells) => {
      const text = await written('t', [{ table: { columns: ['a', 'b'], rows: cells } }]);
      const lines = text.trimEnd().split('\n').slice(2);
      expect(lines).toHaveLength(cells.length + 2);
      for (const line of lines) expect(line.replaceAll(/\\./g, '').split('|')).toHaveLength(4);
    }),
    { numRuns: 50 },
  );
});

test('report.write refuses unknown kinds of sections', async () => {
  const base = await folderWith();
  const input = { path: 'r.md', title: 't', sections: [{ headline: 'x' }] };
  expect(await failureFrom(reportWrite, input, base)).toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringContaining('unknown property "headline"; did you mean "heading"?'),
  });
});

test('report.write escapes data in HTML', async () => {
  const base = await folderWith();
  const sections = [
    { heading: 'A & B', level: 3, text: ['<img src=x onerror=alert(1)>'], list: ['</ul><script>', 1 / 3] },
    { table: { columns: ['"x"'], rows: [["<b>'"], { '"x"': null }] } },
  ];
  await resultFrom(reportWrite, { path: 'r.html', title: '<title>', format: 'html', sections }, base);
  const text = await readFile(join(base, 'r.html'), 'utf8');
  expect(text).toContain('<title>&lt;title&gt;</title>');
  expect(text).toContain(`<h3>A &amp; B</h3>
<p>&lt;img src=x onerror=alert(1)&gt;</p>
<ul>
<li>&lt;/ul&gt;&lt;script&gt;</li>
<li>0.333333</li>
</ul>
<table>
<tr><th>&quot;x&quot;</th></tr>
<tr><td>&lt;b&gt;&#39;</td></tr>
<tr><td></td></tr>
</table>`);
  expect(text.match(/<(script|img|b)\b/)).toBeNull();
});
