// Finds sentences in comments and test titles that begin with a word the language rules forbid.
import { parseSync } from 'vite';
import type { Source } from './sources.ts';

/** A sentence that begins with one of these words usually hides its subject. */
const forbidden = /^(?:what|whatever|whose|which|of|so many|so much|such an?|as \w+ as|that which)\b/i;

export interface Opening {
  /** File and line: `src/engine/decide.ts:12`. */
  readonly at: string;
  readonly sentence: string;
}

export function forbiddenOpenings(source: Source): Opening[] {
  const { comments, program } = parseSync(source.path, source.text);
  const blocks = joinLineComments(source.text, comments);
  const titles = source.path.startsWith('test/') ? titlesIn(program) : [];
  return [...blocks.flatMap(sentencesOf), ...titles]
    .filter(({ text }) => forbidden.test(text))
    .map(({ text, start }) => ({ at: `${source.path}:${lineAt(source.text, start)}`, sentence: text }));
}

/** The sentences of a page of Markdown that begin with such a word, outside of headings, code and tables. */
export function forbiddenInPage(markdown: string): readonly string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, '').replace(/^(?:#|\|| {4}).*$/gm, '');
  const passages = prose.split(/\n\n|\n(?=- )/).map((text) => ({ text: text.replace(/^[-*\s]+/, ''), start: 0 }));
  return passages.flatMap(sentencesOf).flatMap(({ text }) => (forbidden.test(text) ? [text] : []));
}

interface Passage {
  readonly text: string;
  readonly start: number;
}

interface Comment {
  readonly type: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Line comments that follow each other on consecutive lines are one passage. */
function joinLineComments(text: string, comments: readonly Comment[]): Passage[] {
  const passages: (Passage & { readonly end: number })[] = [];
  for (const { type, value, start, end } of comments) {
    const words = value.replace(/^\s*\*+ ?/gm, '').trim();
    const before = passages.at(-1);
    if (type === 'Line' && before !== undefined && /^\n[ \t]*$/.test(text.slice(before.end, start))) {
      passages[passages.length - 1] = { text: `${before.text} ${words}`, start: before.start, end };
    } else passages.push({ text: words, start, end });
  }
  return passages;
}

function sentencesOf({ text, start }: Passage): Passage[] {
  return text
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?]) (?=[A-Z])/)
    .map((sentence) => ({ text: sentence, start }));
}

/** The first argument of each call of `it`, `describe` and `test`, of their variants and of what `each` returns. */
function titlesIn(node: unknown): Passage[] {
  if (Array.isArray(node)) return node.flatMap(titlesIn);
  if (!isNode(node)) return [];
  const title = node.type === 'CallExpression' && namesTest(node.callee) ? titleOf(node.arguments) : [];
  return [...title, ...Object.values(node).flatMap(titlesIn)];
}

function namesTest(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === 'Identifier') return ['it', 'describe', 'test'].includes(String(callee.name));
  if (callee.type === 'MemberExpression') return namesTest(callee.object);
  return callee.type === 'CallExpression' && namesTest(callee.callee);
}

function titleOf(given: unknown): Passage[] {
  const [first] = Array.isArray(given) ? given : [];
  if (!isNode(first) || typeof first.start !== 'number') return [];
  if (typeof first.value === 'string') return [{ text: first.value, start: first.start }];
  const [quasi] = Array.isArray(first.quasis) ? first.quasis : [];
  return isNode(quasi) && isNode(quasi.value) ? [{ text: String(quasi.value.raw), start: first.start }] : [];
}

function isNode(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
