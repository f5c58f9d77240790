// Another run beside the one that is looked at: told anew whenever more of it has been heard.

import type { Recorded } from '../../../engine/event.ts';
import type { RunState } from '../../../engine/state.ts';
import { createPast, type Past } from './past.ts';
import { blobOf } from './server.ts';
import { listen } from './stream.ts';

/** Answers what ends it. */
export function loadRun(run: string, told: (state: RunState) => void): () => void {
  let past: Promise<Past> | undefined;
  let heard: Recorded[] = [];

  async function add(): Promise<void> {
    const known = await past;
    if (known === undefined) return;
    known.add(heard);
    // The state grows in place: a copy of its outside is new to whoever looks.
    told({ ...known.latest() });
  }

  return listen(run, {
    onRuns: () => undefined,
    onEvents(events) {
      heard = [...heard, ...events];
      const [first] = heard;
      if (first?.event.type !== 'run.started') return;
      past ??= blobOf(first.event.template).then((template) => createPast(JSON.stringify(template)));
      add().catch(() => undefined);
    },
    onConnection: () => undefined,
    version: () => heard.at(-1)?.version ?? 0,
  });
}
