// Cuts a stream into lines, one message each: a line is put together once, however many pieces it comes in.

export interface MessageLines {
  /** The lines that are whole now; undefined when one is longer than is read. */
  take(chunk: Buffer): readonly string[] | undefined;
}

const NEWLINE = 0x0a;

/** @param largest bytes of one line */
export function messageLines(largest: number): MessageLines {
  let begun: Buffer[] = [];
  let bytes = 0;
  return {
    take(chunk) {
      const lines: string[] = [];
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); ; end = chunk.indexOf(NEWLINE, from)) {
        const piece = chunk.subarray(from, end < 0 ? chunk.length : end);
        bytes += piece.length;
        if (bytes > largest) return undefined;
        begun.push(piece);
        if (end < 0) return lines;
        lines.push(Buffer.concat(begun).toString('utf8'));
        begun = [];
        bytes = 0;
        from = end + 1;
      }
    },
  };
}
