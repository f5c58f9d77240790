// Prompts with a name, a version and a digest, so that a run records the prompt of each request.
import { digestOfText } from '../../base/digest.ts';
import type { Json } from '../../base/json.ts';

export interface Prompt {
  readonly text: string;
  /** `agent@1 3f2a91c04d5e`. */
  readonly stamp: string;
}

/** Raise the version when the request changes its meaning; the digest tells smaller changes apart. */
export function promptOf(name: string, version: number, text: string): Prompt {
  return { text, stamp: `${name}@${version} ${digestOfText(text).slice(0, 12)}` };
}

/** Puts data in a block apart from the instructions; data cannot close its block. */
export function dataText(name: string, value: Json): string {
  return blockOf(name, [dataJson(value)]);
}

/** JSON of one line that cannot open or close a block of data. */
export function dataJson(value: Json): string {
  return JSON.stringify(value).replaceAll(/<(?=\s*\/?\s*data)/gi, '\\u003c');
}

/** Write the lines with `plainText` or `dataJson`, so that they cannot close the block. */
export function blockOf(name: string, lines: readonly string[]): string {
  return `<data name="${name}">\n${lines.join('\n')}\n</data>`;
}
