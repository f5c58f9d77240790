// ui: serves the inspector, a web page for watching runs, understanding them and answering their gates.
import { copyable, span } from '../../view/line.ts';
import type { InspectorAnswer } from '../answers/authoring.schema.ts';
import type { Call, Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { openInspector, portFlag } from '../inspector.ts';
import { withEngine } from '../open-engine.ts';
import { refuse } from '../refuse.ts';
import { storeFlag, storeName } from '../store-file.ts';

export const command: Command = {
  arguments: [],
  flags: [portFlag, storeFlag, { name: '--json', description: 'Print the address of the page as JSON.' }],
  examples: [
    { command: 'reconverge ui', does: 'serve the runs of this folder, and print the address to open' },
    { command: 'reconverge ui --store other/runs.db --port 8080', does: 'serve another store on another port' },
  ],
  run: (call) =>
    withEngine(
      call,
      async (engine) => {
        const opened = await openInspector(call, engine);
        if (!opened.ok) return refuse(call, opened.error);
        const stopped = opened.value.interrupted();
        tell(call, opened.value.url);
        await stopped;
        await opened.value.close();
        return exitCodes.done;
      },
      'any',
    ),
};

function tell({ given, terminal }: Call, url: string): void {
  const store = storeName(given);
  if (given.has('json')) return terminal.jsonLine({ url, store } satisfies InspectorAnswer);
  terminal.print([[span('inspector: '), copyable(url, 'strong')]]);
  terminal.say([
    [span(`it shows the runs of ${store} to everybody on this host with this address; end it with Ctrl-C`, 'dim')],
  ]);
}
