// The record of a run: its events, its state and its template.
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import type { Template } from '../../template/template.ts';

export interface RunRecord {
  /** The outermost run that waits for this run; the run itself when no step waits for it. */
  readonly root: string;
  readonly state: RunView;
  readonly events: readonly Recorded[];
  readonly template: Template;
  /** A live process is driving it. */
  readonly driven: boolean;
  /** Returns a large value of the run by its digest. */
  blob(digest: string): string | undefined;
  /** The last snapshot that this version can read: the state as text, after the event `version`. */
  snapshot(): { readonly version: number; readonly text: string } | undefined;
}
