// Reads delimited text: detects delimiter, encoding and header, then visits each row.

import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { parse as parseWhole } from 'csv-parse/sync';
import { counted } from '../../base/counted.ts';
import type { CallContext } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';
import { decode, decoded, type Encoding, encodingOf } from './decode.ts';
import { typeOfValue } from './value-type.ts';

export interface CsvFile {
  readonly path: string;
  readonly delimiter: string;
  readonly encoding: Encoding;
  /** True when the first line names the columns; otherwise they are `column_1`, `column_2`, …. */
  readonly header: boolean;
  readonly columns: readonly string[];
}

export interface RowsRead {
  readonly rows: number;
  /** False when the file is longer than `maxBytes`. */
  readonly complete: boolean;
}

/** The most bytes to read of one file: a few seconds of work. */
export const CSV_BYTES = 32_000_000;

export const csvFile = { type: 'string', description: 'CSV or TSV file under one of the granted roots.' } as const;

/** Input schema of capabilities that read a whole file. */
export const wholeSchema = {
  type: 'object',
  required: ['path'],
  additionalProperties: false,
  properties: {
    path: csvFile,
    max_bytes: {
      type: 'integer',
      minimum: 1,
      maximum: CSV_BYTES,
      description: 'Most bytes to read; default all, up to 32 MB.',
    },
  },
} as const;

/** Output schemas that go with `wholeSchema`. */
export const readSchema = {
  rows: { type: 'integer', description: 'Number of rows that were read, without the header.' },
  complete: { type: 'boolean', description: 'False when the file is longer.' },
} as const;

const HEAD_BYTES = 65_536;
const HEAD_ROWS = 100;
const DELIMITERS = [',', ';', '\t', '|'];
const LONGEST_RECORD = 1_000_000;

/** @throws CapabilityError FILE_EMPTY, CSV_BROKEN and those of `FileAccess` */
export async function openCsv(path: string, ctx: CallContext): Promise<CsvFile> {
  const { head, bytes } = await ctx.files.head(path, HEAD_BYTES);
  const encoding = encodingOf(head);
  const text = decode(head, encoding);
  if (text.trim() === '') throw new CapabilityError('FILE_EMPTY', `"${path}" holds nothing`, { retry: 'never' });
  const whole = bytes > head.length ? text.slice(0, text.lastIndexOf('\n') + 1) || text : text;
  const [best] = DELIMITERS.map((delimiter) => candidate(whole, delimiter)).sort(
    (a, b) => b.agreement - a.agreement || b.width - a.width,
  );
  const first = best?.first ?? [];
  const header = first.every((field) => ['string', 'empty'].includes(typeOfValue(field)));
  return {
    path,
    delimiter: best?.delimiter ?? ',',
    encoding,
    header,
    columns: columnNames(header ? first : [], first),
  };
}

interface Candidate {
  readonly delimiter: string;
  /** The share of rows with as many fields as the first; 0 when the delimiter splits nothing. */
  readonly agreement: number;
  readonly width: number;
  readonly first: readonly string[];
}

function candidate(text: string, delimiter: string): Candidate {
  const rows = leniently(text, delimiter);
  const [first = []] = rows;
  const alike = rows.filter((row) => row.length === first.length).length;
  return { delimiter, agreement: first.length < 2 ? 0 : alike / rows.length, width: first.length, first };
}

/** Parses broken files too: their first line still tells delimiter and header. */
function leniently(text: string, delimiter: string): readonly string[][] {
  const options = { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, to: HEAD_ROWS };
  try {
    return parseWhole(text, options);
  } catch {
    const [line = ''] = text.trimStart().split(/\r?\n|\r/, 1);
    return [line.split(delimiter)];
  }
}

/** Invents names for columns whose name is missing or taken. */
function columnNames(header: readonly string[], first: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (const index of first.keys()) {
    const wanted = header[index]?.trim() || `column_${index + 1}`;
    let name = wanted;
    for (let nth = 2; names.includes(name); nth += 1) name = `${wanted}_${nth}`;
    names.push(name);
  }
  return names;
}

/**
 * Visits each row below the header, with its fields in column order, until `visit` returns false.
 * @throws CapabilityError CSV_BROKEN with the line, for a ragged row or an unclosed quote
 */
export async function eachRow(
  csv: CsvFile,
  ctx: CallContext,
  visit: (fields: readonly string[]) => unknown,
  maxBytes = CSV_BYTES,
): Promise<RowsRead> {
  const chunks = await ctx.files.stream(csv.path, ctx.signal);
  let lastLine = csv.header ? 1 : 0;
  const parser = parse({
    delimiter: csv.delimiter,
    from: csv.header ? 2 : 1,
    info: true,
    max_record_size: LONGEST_RECORD,
    skip_empty_lines: true,
    on_record: (record: string[], { lines }) => {
      lastLine = lines;
      return record;
    },
  });
  const text = Readable.from(decoded(chunks, csv.encoding));
  text.on('error', (thrown) => parser.destroy(thrown));
  let rows = 0;
  try {
    for await (const { record, info } of text.pipe(parser)) {
      if (info.bytes > maxBytes) return { rows, complete: false };
      rows += 1;
      if (visit(record) === false) return { rows, complete: false };
    }
    return { rows, complete: true };
  } catch (thrown) {
    throw thrown instanceof CsvError ? broken(csv, thrown, lastLine + 1) : thrown;
  } finally {
    text.destroy();
    chunks.destroy();
  }
}

/** @param begins the first line of the broken row */
function broken(csv: CsvFile, error: CsvError, begins: number): CapabilityError {
  const endless = error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE';
  const line = endless || typeof error.lines !== 'number' ? begins : error.lines;
  return new CapabilityError('CSV_BROKEN', `${csv.path}:${line}: ${problemOf(csv, error)}`, { retry: 'never' });
}

function problemOf(csv: CsvFile, error: CsvError): string {
  switch (error.code) {
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH': {
      const width = Array.isArray(error.record) ? counted(error.record.length, 'field') : 'another number of fields';
      return `${width} where the first line has ${csv.columns.length}`;
    }
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quoted field begins and does not end before the file does';
    case 'CSV_MAX_RECORD_SIZE':
      return `a row longer than ${LONGEST_RECORD} characters; a quote may not be closed`;
    default:
      return 'a quote stands where none may; double it within a quoted field';
  }
}
