// ui: serves the inspector, a page in which runs are watched, understood and answered.
import { issue } from '../../base/issue.ts';
import { span } from '../../view/line.ts';
import type { Call, Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { orderer, withEngine } from '../open-engine.ts';
import { refuse } from '../refuse.ts';
import { storeFile, storeFlag } from '../store-file.ts';
import { UsageError } from '../usage-error.ts';

const FIRST_PORT = 4_817;
/** As many inspectors may be open at once before a port has to be named. */
const PORTS = Array.from({ length: 10 }, (_, index) => FIRST_PORT + index);

export const command: Command = {
  arguments: [],
  flags: [
    {
      name: '--port <number>',
      description: `The port to serve on; the first free one from ${FIRST_PORT} on unless said, 0 for any.`,
    },
    storeFlag,
    { name: '--json', description: 'Print where the page is as JSON.' },
  ],
  examples: [
    { command: 'reconverge ui', does: 'serve the runs of this folder, and print the address to open' },
    { command: 'reconverge ui --store other/runs.db --port 8080', does: 'another store, on another port' },
  ],
  json: { url: 'the address to open, token included', store: 'the store that is shown' },
  jsonNote: 'one line, as soon as the page is served; the command then goes on until it is interrupted.',
  async run(call) {
    const ports = portsOf(call);
    const store = storeFile(call.given);
    return withEngine(call, async (engine) => {
      const { builtPage } = await import('../../inspector/server/built-page.ts');
      const { readPageFiles } = await import('../../inspector/server/page-files.ts');
      const { serve } = await import('../../inspector/server/serve.ts');
      const { tokenFor } = await import('../../inspector/server/token.ts');
      const { openSqliteJournal } = await import('../../store/sqlite-journal.ts');
      const folder = await builtPage(() => call.terminal.say([[span('building the page …', 'dim')]]));
      const journal = openSqliteJournal(store);
      const options = { engine, journal, files: readPageFiles(folder), token: tokenFor(store), ports, by: orderer() };
      const serving = await serve(options);
      if (serving === undefined) {
        await journal.close();
        return refuse(call, [portTaken(ports)]);
      }
      tell(call, serving.url, store);
      await interrupted();
      await serving.close();
      await journal.close();
      return exitCodes.done;
    });
  },
};

function portsOf({ given }: Call): readonly number[] {
  const said = given.text('port');
  if (said === undefined) return PORTS;
  const port = Number(said);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError('--port takes a number up to 65535');
  return [port];
}

function portTaken(ports: readonly number[]) {
  const what = ports.length === 1 ? `port ${ports[0]} is` : `ports ${ports[0]} to ${ports.at(-1)} are`;
  return issue('PORT_TAKEN', `${what} in use`, {
    hint: 'name another one: reconverge ui --port 0 takes any that is free',
  });
}

function tell({ given, terminal }: Call, url: string, store: string): void {
  if (given.has('json')) return terminal.jsonLine({ url, store });
  terminal.print([[span('inspector: '), span(url, 'strong')]]);
  terminal.say([
    [span(`it shows the runs of ${store}, to whoever has this address on this host; Ctrl-C ends it`, 'dim')],
  ]);
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** A second signal ends the process at once. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
