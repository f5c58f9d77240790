// Prompts by name, version and digest, so that a run says which one it was asked with.
import { digestOfText } from '../../base/digest.ts';
import type { Json } from '../../base/json.ts';

export interface Prompt {
  readonly text: string;
  /** `agent@1 3f2a91c04d5e`. */
  readonly stamp: string;
}

/** The version is raised by whoever changes what the text asks for; the digest tells the rest. */
export function promptOf(name: string, version: number, text: string): Prompt {
  return { text, stamp: `${name}@${version} ${digestOfText(text).slice(0, 12)}` };
}

/** Set apart from what is told: data never gives orders, and cannot close its block. */
export function dataText(name: string, value: Json): string {
  return blockOf(name, [dataJson(value)]);
}

/** JSON of one line that cannot open or close a block of data. */
export function dataJson(value: Json): string {
  return JSON.stringify(value).replaceAll(/<(?=\s*\/?\s*data)/gi, '\\u003c');
}

/** Lines that cannot close the block: `plainText` and `dataJson` see to that. */
export function blockOf(name: string, lines: readonly string[]): string {
  return `<data name="${name}">\n${lines.join('\n')}\n</data>`;
}
