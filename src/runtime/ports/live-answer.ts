// Hands the pieces of one model call to a listener: without reasoning and without secrets.
import type { ModelDelta } from '../../engine/record/model-delta.ts';
import { type VisiblePiece, type VisibleTextOptions, visibleText } from '../../model/visible-text.ts';
import { redactedPieces } from './redact-pieces.ts';
import type { Redaction } from './redaction.ts';

/** Receives the pieces of models' answers as they arrive. */
export type OnDelta = (delta: ModelDelta) => void;

export interface LiveAnswer {
  /** Takes a piece as the model wrote it. */
  take(text: string): void;
  end(): void;
  /** Whether the answer began with reasoning whose opening mark was missing. Known at the end. */
  beganInside(): boolean;
}

/** @param redaction called for each piece, because more secrets may be known by then */
export function liveAnswer(
  of: Omit<ModelDelta, 'text' | 'replaces' | 'isLast'>,
  options: VisibleTextOptions & { readonly redaction: () => Redaction; readonly onDelta: OnDelta },
): LiveAnswer {
  const { redaction, onDelta } = options;
  const visible = visibleText(options);
  let clean = redactedPieces(redaction);
  /** Earlier text is still to be replaced. */
  let replaces = false;
  let hasTold = false;

  function clear(piece: VisiblePiece | undefined): string {
    if (piece === undefined) return '';
    if (piece.replaces) {
      clean = redactedPieces(redaction);
      replaces = hasTold;
    }
    return clean.take(piece.text);
  }

  function tell(text: string, isLast: boolean): void {
    if (text === '' && !isLast) return;
    onDelta({ ...of, text, ...(replaces ? { replaces } : {}), ...(isLast ? { isLast } : {}) });
    replaces = false;
    hasTold = true;
  }

  return {
    take: (text) => tell(clear(visible.take(text)), false),
    end() {
      const last = clear(visible.end());
      tell(last + clean.end(), true);
    },
    beganInside: visible.beganInside,
  };
}
