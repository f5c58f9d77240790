// Files that are no UTF-8 text: each gets the name of what it is.
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/template/parse/decode-text.ts';

const template = 'reconverge: 1\nname: a\ndescription: café\nsteps: []\n';

function answer(bytes: Uint8Array) {
  const decoded = decodeText(bytes, 'a.yaml');
  if (decoded.ok) return decoded.value;
  const [found] = decoded.error;
  return `${found?.place?.line}:${found?.place?.column} ${found?.code}: ${found?.message}`;
}

describe('the bytes of a template', () => {
  it('are read as UTF-8, with or without a byte order mark', () => {
    expect(answer(Buffer.from(template))).toBe(template);
    expect(answer(Buffer.from(`\ufeff${template}`))).toBe(template);
  });

  it('in Latin-1 are refused at the first letter that is no UTF-8', () => {
    expect(answer(Buffer.from(template, 'latin1'))).toBe(
      '3:17 SOURCE_NOT_UTF8: the file is not in UTF-8: the byte 0xE9 is "é" in Latin-1',
    );
  });

  it('in UTF-16 are refused with and without a byte order mark', () => {
    const expected = '1:1 SOURCE_NOT_UTF8: the file is in UTF-16';
    const little = Buffer.from(template, 'utf16le');
    expect(answer(little)).toBe(expected);
    expect(answer(Buffer.concat([Buffer.from([0xff, 0xfe]), little]))).toBe(expected);
    expect(answer(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(little).swap16()]))).toBe(expected);
  });

  it('are refused with the name of their file type when they are no text', () => {
    expect(answer(Buffer.from('%PDF-1.7\n'))).toBe('1:1 SOURCE_NOT_TEXT: the file is no text: it looks like a PDF');
    expect(answer(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]))).toContain('it looks like a PNG image');
    expect(answer(Buffer.from('reconverge: 1\u0001\n'))).toContain('it has bytes that no text has');
  });
});
