// Serves the inspector for a command, on the command's own engine, for as long as the command lasts.
import { readFileSync } from 'node:fs';
import { issue } from '../base/issue.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Engine } from '../runtime/api/engine.ts';
import type { OnDelta } from '../runtime/ports/live-answer.ts';
import { span } from '../view/line.ts';
import type { Call, Flag } from './command.ts';
import { orderer } from './open-engine.ts';
import { openStore } from './open-store.ts';
import { programFrom } from './program.ts';
import { projectTemplates } from './project-templates.ts';
import { localStore } from './store-file.ts';
import { UsageError } from './usage-error.ts';

const FIRST_PORT = 4_817;
/** This many inspectors may be open at once before the user has to name a port. */
const PORTS = Array.from({ length: 10 }, (_, index) => FIRST_PORT + index);

export const portFlag: Flag = {
  name: '--port <number>',
  description: `The port to serve on; 0 for any free one. By default the first free port from ${FIRST_PORT}.`,
};

export interface Inspector {
  /** The address to open in a browser, with the token. */
  readonly url: string;
  /** Takes the pieces of models' answers for the page. */
  readonly hear: OnDelta;
  /** Resolves when a first signal tells the process to stop; a second signal ends the process at once. */
  interrupted(): Promise<void>;
  close(): Promise<void>;
}

/** Issues: PORT_TAKEN. */
export async function openInspector(call: Call, engine: Engine): Promise<Result<Inspector>> {
  const ports = portsOf(call);
  const { builtPage } = await import('../inspector/server/built-page.ts');
  const { readPageFiles } = await import('../inspector/server/page-files.ts');
  const { serve } = await import('../inspector/server/serve.ts');
  const { tokenFor } = await import('../inspector/server/token.ts');
  const folder = await builtPage(() => call.terminal.say([[span('building the page …', 'dim')]]));
  const journal = await openStore(call.given, { access: 'any' });
  const project = { folder: process.cwd(), templates: projectTemplates, read: textOfFile };
  const options = {
    engine,
    journal,
    files: readPageFiles(folder, programFrom('.')),
    token: tokenFor(localStore(call.given)),
    ports,
    by: orderer(),
    project,
  };
  const serving = await serve(options);
  if (serving === undefined) {
    await journal.close();
    return bad([portTaken(ports)]);
  }
  return good({
    url: serving.url,
    hear: serving.hear,
    interrupted,
    async close() {
      await serving.close();
      await journal.close();
    },
  });
}

function textOfFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function portsOf({ given }: Call): readonly number[] {
  const said = given.text('port');
  if (said === undefined) return PORTS;
  const port = Number(said);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError('--port takes a number up to 65535');
  return [port];
}

function portTaken(ports: readonly number[]) {
  const what = ports.length === 1 ? `port ${ports[0]} is` : `ports ${ports[0]} to ${ports.at(-1)} are`;
  return issue('PORT_TAKEN', `${what} in use`, { hint: 'name another port: --port 0 takes any free one' });
}

const signals = ['SIGINT', 'SIGTERM'] as const;

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
