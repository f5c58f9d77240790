// Capabilities that say of themselves that others have taken their place: they stand behind those, where these serve as well.
import type { Declaration } from '../../contract/declaration.ts';

/** A statement about itself, and not about what it lists: `Deprecated: …`, `This tool is deprecated`, `[legacy] …`. */
const SAYS_SO =
  /(?:^|[.!;]\s+|\n)\W*(?:deprecated|obsolete)\b(?=\W|$)(?!\s+\p{L}+s\b)|\b(?:is|are|been|now) (?:deprecated|obsolete)\b|^\W*[([]\s*(?:deprecated|legacy|obsolete)\s*[)\]]|\bsuperseded by\b/iu;

export function isOutdated({ description }: Pick<Declaration, 'description'>): boolean {
  return SAYS_SO.test(description);
}

/** `Use read_text_file instead.` */
export function isNamedInsteadOf(
  { name }: Pick<Declaration, 'name'>,
  { description }: Pick<Declaration, 'description'>,
): boolean {
  return description.split(/[^\w.-]+/).some((word) => word.replace(/\.$/, '') === name);
}
