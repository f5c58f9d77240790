// Prints a capability in one line for a model: `csv.sniff(path, max_bytes :int?) -> {columns [:string]}: Find the columns`.
import { counted } from '../base/counted.ts';
import { defined } from '../base/json.ts';
import { type Declaration, isMutating } from './declaration.ts';
import { inputText, signatureText } from './signature-text.ts';

type DescribedContract = Pick<Declaration, 'name' | 'description' | 'input' | 'output'>;

interface PricedContract extends DescribedContract, Pick<Declaration, 'effects'> {
  /** The least that a call uses: `cost_usd` in dollars, and counts. */
  readonly takes?: Readonly<Partial<Record<'cost_usd' | 'steps' | 'phases', number>>>;
}

/** Names are never shortened, because a model must repeat them. MCP advises at most 128 characters. */
const LONGEST_NAME = 160;
const LONGEST_SENTENCE = 140;
/** Characters of a description that are searched for its first sentence. */
const MOST_READ = 1_000;

/**
 * Name, signature and purpose in one line that is safe inside `<data>`: a server with line breaks, markup or instructions in
 * its declarations can neither end the line nor leave the block. A `!` marks capabilities that change something, and
 * brackets show the price of a call.
 */
export function signatureLine(capability: PricedContract): string {
  const { name, description, input, output, takes = {} } = capability;
  const mark = isMutating(capability) ? ' !' : '';
  const uses = Object.entries(takes).map(([what, amount]) =>
    what === 'cost_usd' ? `$${amount}` : counted(amount, what.replace(/s$/, '')),
  );
  const price = uses.length === 0 ? '' : ` [${uses.join(', ')}]`;
  return lineOf(name, `${signatureText(defined({ input, output }))}${mark}${price}`, description);
}

/** The same line without the result. */
export function parametersLine({ name, description, input }: Omit<DescribedContract, 'output'>): string {
  return lineOf(name, inputText(input), description);
}

function lineOf(name: string, signature: string, description: string): string {
  const says = shortPurpose(description);
  return `${plainName(name)}${signature}${says === '' ? '' : `: ${says}`}`;
}

/** Removes line breaks, invisible characters, and characters that could open or close a block of data. */
export function plainText(text: string, longest: number): string {
  const line = text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/<(?=\s*\/?\s*data)/gi, '‹')
    .trim();
  const characters = [...line];
  return characters.length <= longest ? line : `${characters.slice(0, longest - 1).join('')}…`;
}

/** The first sentence; a part of it after a colon or a semicolon is left out where three words stand before it. */
function shortPurpose(description: string): string {
  const [first = ''] = description
    .trim()
    .slice(0, MOST_READ)
    .split(/(?<=[.!?])\s|\n/);
  const [clause] = /^(?:\S+\s+){2,}?\S+(?=[:;]\s)/.exec(first) ?? [first];
  return plainText(clause, LONGEST_SENTENCE).replace(/[.:;]$/, '');
}

function plainName(name: string): string {
  return plainText(/^[\p{L}\p{N}_$@.[\]-]+$/u.test(name) ? name : JSON.stringify(name), LONGEST_NAME);
}
