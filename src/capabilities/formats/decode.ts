// Decodes the bytes of text files: UTF-8, UTF-16 with a byte order mark, else Windows-1252.

export type Encoding = 'utf-8' | 'utf-16le' | 'windows-1252';

/** Judges by the first bytes, which may end within a character. */
export function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    // Windows-1252 accepts every byte, and agrees with Latin-1 on all printable characters.
    return 'windows-1252';
  }
}

export function decode(bytes: Uint8Array, encoding: Encoding = encodingOf(bytes)): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** Decodes a file in chunks, which may end within a character. */
export async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
