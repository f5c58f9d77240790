// Decodes the bytes of a document, and says which encoding or file type it has instead of UTF-8.
import { type Issue, issue } from '../../base/issue.ts';
import { bad, good, type Result } from '../../base/result.ts';

/** The first bytes of common files, as Latin-1. */
const FILE_TYPES: readonly (readonly [start: string, name: string])[] = [
  ['%PDF', 'a PDF'],
  ['\u0089PNG', 'a PNG image'],
  ['\u00ff\u00d8\u00ff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['PK\u0003\u0004', 'a ZIP archive or an Office document'],
  ['\u001f\u008b', 'a gzip archive'],
  ['SQLite format 3', 'a SQLite database'],
  ['\u007fELF', 'a program'],
  ['MZ', 'a program'],
];

/** Control characters that no text has; tab, line feed, form feed and carriage return are left out. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;
/** The bytes that are looked at to tell a binary file from a text. */
const LOOKED_AT = 4_096;

/** Issues: SOURCE_NOT_TEXT, SOURCE_NOT_UTF8. A byte order mark of UTF-8 is left out. */
export function decodeText(bytes: Uint8Array, file: string): Result<string> {
  const start = latin1(bytes.subarray(0, LOOKED_AT));
  if (isUtf16(start))
    return bad([
      notUtf8(file, 'the file is in UTF-16', `save it as UTF-8: iconv -f utf-16 -t utf-8 ${file} > utf8.yaml`),
    ]);
  const [, type] = FILE_TYPES.find(([sign]) => start.startsWith(sign)) ?? [];
  if (type !== undefined || CONTROL.test(start)) {
    const what = type === undefined ? 'it has bytes that no text has' : `it looks like ${type}`;
    return bad([
      issue('SOURCE_NOT_TEXT', `the file is no text: ${what}`, {
        place: { file, line: 1, column: 1, endLine: 1, endColumn: 1 },
        hint: 'name a template: a text file in YAML or JSON',
      }),
    ]);
  }
  try {
    return good(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return bad([wrongByte(bytes, file)]);
  }
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

/** A byte order mark, or a zero beside most letters. */
function isUtf16(start: string): boolean {
  if (start.startsWith('\u00ff\u00fe') || start.startsWith('\u00fe\u00ff')) return true;
  const zeros = [...start].filter((sign) => sign === '\u0000').length;
  const letters = [...start].filter((sign) => sign >= '\t' && sign <= '~').length;
  return zeros > 2 && zeros + letters > start.length * 0.9 && Math.abs(zeros - letters) < start.length * 0.2;
}

/** The first byte that is no UTF-8; most such files are in Latin-1, where it is a letter with an accent. */
function wrongByte(bytes: Uint8Array, file: string): Issue {
  const decoded = new TextDecoder('utf-8').decode(bytes);
  const before = decoded.slice(0, Math.max(0, decoded.indexOf('\ufffd')));
  const offset = new TextEncoder().encode(before).length;
  const byte = bytes[offset] ?? 0;
  const letter = new TextDecoder('windows-1252').decode(Uint8Array.of(byte));
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  const hex = `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  const message = `the file is not in UTF-8: the byte ${hex} is "${letter}" in Latin-1`;
  return {
    ...notUtf8(file, message, `save it as UTF-8: iconv -f latin1 -t utf-8 ${file} > utf8.yaml`),
    place: { file, line, column, endLine: line, endColumn: column + 1 },
  };
}

function notUtf8(file: string, message: string, hint: string): Issue {
  return issue('SOURCE_NOT_UTF8', message, { place: { file, line: 1, column: 1, endLine: 1, endColumn: 1 }, hint });
}
