// Texts by their digest.
import { digestOf, digestOfText } from '../base/digest.ts';

/** Whether the digest is of the text, or of its JSON value. */
export function isAddressedBy(text: string, digest: string): boolean {
  if (digestOfText(text) === digest) return true;
  try {
    return digestOf(JSON.parse(text)) === digest;
  } catch {
    return false;
  }
}
