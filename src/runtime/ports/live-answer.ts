// Hands the pieces of one model call to a listener: without reasoning and without secrets.
import type { Purpose } from '../../engine/record/step-events.schema.ts';
import { type VisiblePiece, type VisibleTextOptions, visibleText } from '../../model/visible-text.ts';
import { redactedPieces } from './redact-pieces.ts';
import type { Redaction } from './redaction.ts';

/** A piece of a model's answer. The pieces of a call, put together, are its text without reasoning and secrets. */
export interface ModelDelta {
  /** The run of the step: a child run has an id of its own. */
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
  /** The number of the call within the attempt; each retry is a call of its own. */
  readonly call: number;
  /** The name of the model's profile. */
  readonly model: string;
  readonly purpose: Purpose;
  readonly text: string;
  /** The text takes the place of all earlier text of this call, which proved to be reasoning. */
  readonly replaces?: true;
  /** The call has ended, with an answer or without; nothing of it follows. The text may be empty. */
  readonly isLast?: true;
}

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
