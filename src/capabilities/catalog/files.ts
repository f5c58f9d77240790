// files.list, files.read and files.write: list folders, read and write text files.
import { defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';
import type { FileAccess } from '../file-access.ts';
import { decode, encodingOf } from '../formats/decode.ts';
import { type FileType, fileType, fileTypes } from '../formats/file-type.ts';
import type { ListedFile } from '../list-folder.ts';

const HEAD_BYTES = 4_096;
const MOST_FILES = 10_000;
/** Files to open at the same time. */
const AT_ONCE = 64;

export const filesList = defineCapability({
  name: 'files.list',
  description: 'List the files of a folder with type and size, largest first, without hidden files.',
  input: {
    type: 'object',
    required: ['folder'],
    additionalProperties: false,
    properties: {
      folder: { type: 'string', description: 'Folder to list, under one of the granted roots.' },
      recursive: { type: 'boolean', description: 'Also list the files of its subfolders; default false.' },
    },
  },
  output: {
    type: 'object',
    required: ['folder', 'files', 'count', 'bytes', 'left_out'],
    properties: {
      folder: { type: 'string' },
      files: {
        type: 'array',
        description: `At most ${MOST_FILES} files; count is the number of all.`,
        'x-keep': true,
        items: {
          type: 'object',
          required: ['path', 'name', 'type', 'bytes'],
          properties: {
            path: { type: 'string' },
            name: { type: 'string' },
            type: { enum: fileTypes },
            bytes: { type: 'integer' },
          },
        },
      },
      count: { type: 'integer', description: 'Number of files in the folder.' },
      bytes: { type: 'integer', description: 'Total size of these files.' },
      left_out: {
        type: 'array',
        description: 'Entries that are not listed, with the reason.',
        items: {
          type: 'object',
          required: ['path', 'reason'],
          properties: { path: { type: 'string' }, reason: { type: 'string' } },
        },
      },
    },
  },
  effects: ['read'],
  tags: ['files'],
  cost: { seconds: 0.02 },
  repeat: 'safe',
  async run({ folder, recursive = false }, ctx) {
    const listing = await ctx.files.list(folder, { recursive });
    const largestFirst = listing.files.toSorted((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1));
    const shown = largestFirst.slice(0, MOST_FILES);
    const files = await typed(shown, ctx.files);
    const others = largestFirst.length - shown.length;
    const reason = `at most ${MOST_FILES} files are listed, and ${others} smaller ones are not`;
    return {
      folder,
      files,
      count: listing.files.length,
      bytes: listing.files.reduce((sum, file) => sum + file.bytes, 0),
      left_out: [...listing.leftOut, ...(others === 0 ? [] : [{ path: folder, reason }])],
    };
  },
});

async function typed(listed: readonly ListedFile[], files: FileAccess) {
  const found: (ListedFile & { readonly type: FileType })[] = [];
  for (let from = 0; from < listed.length; from += AT_ONCE) {
    const some = listed.slice(from, from + AT_ONCE);
    found.push(...(await Promise.all(some.map(async (file) => ({ ...file, type: await typeOf(file, files) })))));
  }
  return found;
}

/** Lists unreadable files too; reading one reports the reason. */
async function typeOf(file: ListedFile, files: FileAccess): Promise<FileType> {
  return files.head(file.path, HEAD_BYTES).then(
    ({ head }) => fileType(file.name, head),
    () => 'unknown',
  );
}

const DEFAULT_BYTES = 20_000;
const MOST_BYTES = 1_000_000;

export const filesRead = defineCapability({
  name: 'files.read',
  description: 'Read the text of a file, or of its first max_bytes.',
  input: {
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', description: 'File under one of the granted roots.' },
      max_bytes: {
        type: 'integer',
        minimum: 1,
        maximum: MOST_BYTES,
        description: `Most bytes to read; default ${DEFAULT_BYTES}.`,
      },
    },
  },
  output: {
    type: 'object',
    required: ['path', 'text', 'bytes', 'encoding', 'complete'],
    properties: {
      path: { type: 'string' },
      text: { type: 'string' },
      bytes: { type: 'integer', description: 'Size of the file.' },
      encoding: { enum: ['utf-8', 'utf-16le', 'windows-1252'] },
      complete: { type: 'boolean', description: 'False when the file is longer.' },
    },
  },
  effects: ['read'],
  tags: ['files'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  async run({ path, max_bytes = DEFAULT_BYTES }, ctx) {
    const { head, bytes } = await ctx.files.head(path, max_bytes);
    const encoding = encodingOf(head);
    if (head.includes(0) && encoding !== 'utf-16le') {
      throw new CapabilityError('FILE_NOT_TEXT', `"${path}" is not a text file`, { retry: 'never' });
    }
    return { path, text: decode(head, encoding), bytes, encoding, complete: head.length === bytes };
  },
});

export const filesWrite = defineCapability({
  name: 'files.write',
  description: 'Write text to a file, replace its content, and create its folders.',
  input: {
    type: 'object',
    required: ['path', 'text'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', description: 'File under one of the granted roots.' },
      text: { type: 'string' },
    },
  },
  output: {
    type: 'object',
    required: ['path', 'bytes'],
    properties: { path: { type: 'string' }, bytes: { type: 'integer' } },
  },
  effects: ['filesystem'],
  tags: ['files'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  async run({ path, text }, ctx) {
    return { path, bytes: await ctx.files.write(path, text) };
  },
});
