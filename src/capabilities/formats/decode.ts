// Turns the bytes of text files into characters: UTF-8, UTF-16 with its mark, else Windows-1252.

export type Encoding = 'utf-8' | 'utf-16le' | 'windows-1252';

/** From the first bytes; a character cut at their end does no harm. */
export function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    // Every byte is a character of Windows-1252, which agrees with Latin-1 on all printable ones.
    return 'windows-1252';
  }
}

export function decode(bytes: Uint8Array, encoding: Encoding = encodingOf(bytes)): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** The same over a file that comes in pieces, which may end within a character. */
export async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
