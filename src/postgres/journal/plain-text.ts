// Texts as PostgreSQL can keep them: valid Unicode without the character U+0000.

/** Text from outside, such as a log line: U+0000 becomes its picture, and half of a surrogate pair U+FFFD. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u2400');
}
