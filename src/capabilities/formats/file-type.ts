// Tells the type of a file by its extension, else by its first bytes.
import { extname } from 'node:path';
import { decode } from './decode.ts';

export const fileTypes = ['csv', 'tsv', 'json', 'jsonl', 'log', 'text', 'binary', 'empty', 'unknown'] as const;
export type FileType = (typeof fileTypes)[number];

const BY_EXTENSION: Readonly<Record<string, FileType>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.tab': 'tsv',
  '.json': 'json',
  '.geojson': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.log': 'log',
  '.txt': 'text',
  '.md': 'text',
};

/** @param head the first bytes of the file, a few thousand */
export function fileType(name: string, head: Uint8Array): FileType {
  if (head.length === 0) return 'empty';
  const utf16 = head[0] === 0xff && head[1] === 0xfe;
  if (head.includes(0) && !utf16) return 'binary';
  return BY_EXTENSION[extname(name).toLowerCase()] ?? typeOfText(decode(head));
}

function typeOfText(text: string): FileType {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters tell a binary file from text
  if (/[\u0001-\u0008\u000e-\u001f]/.test(text)) return 'binary';
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [first = '', second = ''] = lines;
  if (isJson(first)) return isJson(second) ? 'jsonl' : 'json';
  if (/^\s*[[{]/.test(first)) return 'json';
  if (/^\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(first)) return 'log';
  if (countOf(first, '\t') > 0 && countOf(first, '\t') === countOf(second, '\t')) return 'tsv';
  const separated = [',', ';', '|'].some(
    (mark) => countOf(first, mark) > 0 && countOf(first, mark) === countOf(second, mark),
  );
  return separated ? 'csv' : 'text';
}

function isJson(line: string): boolean {
  if (!/^\s*[[{]/.test(line)) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function countOf(text: string, mark: string): number {
  return text.split(mark).length - 1;
}
