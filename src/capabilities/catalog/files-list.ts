// files.list: what lies in a folder, the largest file first.
import { defineCapability } from '../capability.ts';
import type { FileAccess } from '../files.ts';
import { type FileType, fileType, fileTypes } from '../formats/file-type.ts';
import type { ListedFile } from '../list-folder.ts';

const HEAD_BYTES = 4_096;
const MOST_FILES = 10_000;
/** Files that are open at the same time. */
const AT_ONCE = 64;

export const filesList = defineCapability({
  name: 'files.list',
  description: 'List the files of a folder with type and size, the largest first; hidden files are not listed.',
  input: {
    type: 'object',
    required: ['folder'],
    additionalProperties: false,
    properties: {
      folder: { type: 'string', description: 'Folder to list, under one of the granted roots.' },
      recursive: { type: 'boolean', description: 'Also list the folders within it; default false.' },
    },
  },
  output: {
    type: 'object',
    required: ['folder', 'files', 'count', 'bytes', 'left_out'],
    properties: {
      folder: { type: 'string' },
      files: {
        type: 'array',
        description: `At most ${MOST_FILES}; count says how many there are.`,
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
      count: { type: 'integer', description: 'Files in the folder.' },
      bytes: { type: 'integer', description: 'Bytes of all of them.' },
      left_out: {
        type: 'array',
        description: 'What was met but is not listed, and why.',
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

/** A file that cannot be read is still listed: whoever needs it is told why. */
async function typeOf(file: ListedFile, files: FileAccess): Promise<FileType> {
  return files.head(file.path, HEAD_BYTES).then(
    ({ head }) => fileType(file.name, head),
    () => 'unknown',
  );
}
