// Removes secrets from a text that arrives in pieces, also those that are cut between two pieces.
import type { Redaction } from './redaction.ts';

export interface RedactedPieces {
  /** Returns text that holds no part of a secret; empty while more must be known. */
  take(piece: string): string;
  /** Returns the rest. */
  end(): string;
}

/** A line of encoded bytes, which a secret may fill and go on behind. */
const ENCODED_LINE = 40;
const DIGIT = /[A-Za-z0-9+/_-]/;

/**
 * All that it returns, put together, is the redaction of the whole text. Text is held back up to a space, because a secret
 * in encoded bytes can begin anywhere in them.
 * @param redaction called for each piece, because more secrets may be known by then
 */
export function redactedPieces(redaction: () => Redaction): RedactedPieces {
  let pending = '';
  /** Where the encoded bytes begin that the pending text ends with, and the length of their last line. */
  let run = 0;
  let line = 0;

  function read(piece: string): void {
    for (const character of piece) {
      pending += character;
      if (DIGIT.test(character)) line += 1;
      else if ((character !== '\n' && character !== '\r') || line < ENCODED_LINE) {
        run = pending.length;
        line = 0;
      } else if (character === '\n') line = 0;
    }
  }

  return {
    take(piece) {
      read(piece);
      const known = redaction();
      const safe = known.safeLength(pending, run);
      const text = known.text(pending.slice(0, safe));
      pending = pending.slice(safe);
      run = Math.max(0, run - safe);
      return text;
    },
    end() {
      const text = redaction().text(pending);
      pending = '';
      run = 0;
      line = 0;
      return text;
    },
  };
}
