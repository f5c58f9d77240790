// Broken templates as people write them: each with the exact answer, and with edits that solve what they say.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Issue } from '../../src/base/issue.ts';
import { good } from '../../src/base/result.ts';
import { loadFile } from '../../src/runtime/load/load-file.ts';
import { templateAdvice } from '../../src/runtime/load/template-advice.ts';
import { renderIssues } from '../../src/template/diagnostic.ts';
import { linesOf } from '../../src/template/parse/tree.ts';
import { applyMend } from './apply-mend.ts';

interface Mistake {
  readonly title: string;
  readonly text: string;
  readonly answer: string;
}

/** `=== title`, the template, `--- answer`, and the answer; `→` stands for a tab. */
const mistakes: readonly Mistake[] = readFileSync(join(import.meta.dirname, 'mistakes.txt'), 'utf8')
  .split(/^=== /m)
  .slice(1)
  .map((part) => {
    const [head = '', answer = ''] = part.split('--- answer\n');
    const title = head.slice(0, head.indexOf('\n'));
    return { title, text: head.slice(title.length + 1).replaceAll('→', '\t'), answer: answer.trimEnd() };
  });

const folder = mkdtempSync(join(tmpdir(), 'reconverge-mistakes-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function issuesOf(text: string | Buffer): Promise<readonly Issue[]> {
  writeFileSync(join(folder, 'a.yaml'), text);
  const loaded = await loadFile('a.yaml', folder, { own: [], tools: async () => good([]) });
  if (!loaded.ok) return loaded.error;
  return [...loaded.warnings, ...(await templateAdvice(join(folder, 'a.yaml'), loaded.value.template, true))];
}

async function answerTo(text: string): Promise<string> {
  const answer = renderIssues(await issuesOf(text), () => linesOf(text));
  return answer.replaceAll(`${folder}/`, '').replaceAll('\t', '→');
}

describe('a broken template', () => {
  it('has at least forty kinds', () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(40);
    expect(new Set(mistakes.map(({ title }) => title)).size).toBe(mistakes.length);
  });

  it.each(mistakes)('$title', async ({ text, answer }) => {
    expect(await answerTo(text)).toBe(answer);
  });

  it.each(mistakes)('$title: each edit solves its issue', async ({ text }) => {
    const first = await issuesOf(text);
    for (const { code, mend } of first) {
      if (mend === undefined) continue;
      const left = await issuesOf(applyMend(text, mend));
      const count = (issues: readonly Issue[]): number => issues.filter((each) => each.code === code).length;
      expect(count(left), mend.title).toBeLessThan(count(first));
    }
  });

  it('with 5,000 nested brackets is refused at the bracket that is one too many', async () => {
    const text = `reconverge: 1\nname: a\nmetadata: ${'['.repeat(5_000)}\nsteps: []\n`;
    expect(await issuesOf(text)).toMatchObject([
      {
        code: 'SOURCE_TOO_DEEP',
        place: { line: 3, column: 211 },
        message: 'lists and maps nest more than 200 levels deep',
      },
    ]);
  });

  it('that is no text or no UTF-8 is refused with what it is', async () => {
    const text = 'reconverge: 1\nname: a\ndescription: café\nsteps: []\n';
    const messages = await Promise.all([
      await issuesOf(Buffer.from(text, 'latin1')),
      await issuesOf(Buffer.from(text, 'utf16le')),
    ]);
    expect(messages.flat()).toMatchObject([
      { code: 'SOURCE_NOT_UTF8', place: { line: 3, column: 17 }, hint: expect.stringContaining('iconv -f latin1') },
      { code: 'SOURCE_NOT_UTF8', message: 'the file is in UTF-16', hint: expect.stringContaining('iconv -f utf-16') },
    ]);
    expect(await issuesOf(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]))).toMatchObject([
      { code: 'SOURCE_NOT_TEXT', message: 'the file is no text: it looks like a program' },
    ]);
  });
});
