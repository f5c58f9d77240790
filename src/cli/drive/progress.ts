// Shows the progress of a run: as a live tree, plain lines, JSON lines, or not at all.
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import type { OnLogs } from '../../runtime/logs/run-log.ts';
import { eventLine } from '../../view/event-line.ts';
import { type History, record } from '../../view/history.ts';
import { type Line, span } from '../../view/line.ts';
import { type LiveTexts, liveTexts } from '../../view/live-texts.ts';
import type { Call } from '../command.ts';
import { liveTree } from './live-tree.ts';

export interface Progress {
  see(events: readonly Recorded[], state: RunView): void;
  note(line: Line): void;
  finish(): void;
  /** Takes pieces of models' answers; absent: they are not shown. */
  readonly hear?: LiveTexts['take'];
  /** Takes log lines; absent: they are not shown. */
  readonly hearLogs?: OnLogs;
}

/** `history` holds the earlier events and is updated with each new one. */
export function progressOf({ given, terminal }: Call, history: History): Progress {
  const note = (line: Line): void => terminal.say([line]);
  const finish = (): void => {};
  if (given.has('json')) return { see: (events) => events.forEach(terminal.jsonLine), note, finish };
  if (given.has('quiet')) return { see: () => {}, note, finish };
  if (terminal.screen === undefined) {
    const see: Progress['see'] = (events, { startedAt }) =>
      terminal.say(events.map((event) => [span(eventLine(event, startedAt))]));
    return { see, note, finish };
  }
  /** The run that is drawn; its child runs have lines too. */
  let own: string | undefined;
  const lastLines = new Map<string, string>();
  const details = given.has('watch') ? { texts: liveTexts(), lastLines } : undefined;
  const live = liveTree(terminal.screen, terminal.paintScreen, history, details);
  const hearLogs: OnLogs = (lines) => {
    for (const { run, step, message } of lines) if (run === own) lastLines.set(step, message);
  };
  return {
    see: (events, state) => {
      for (const event of events) record(history, event);
      own = state.id;
      live.show(state);
    },
    note: live.note,
    finish: live.finish,
    ...(details === undefined ? {} : { hear: details.texts.take, hearLogs }),
  };
}
