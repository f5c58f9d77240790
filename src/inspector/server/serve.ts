// The inspector's server: bound to the loopback address, and answering only its own page.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from '../../runtime/api/engine.ts';
import type { Journal } from '../../store/journal.ts';
import { answer, faultAnswer } from './answer.ts';
import { drivers } from './drivers.ts';
import { admit } from './guard.ts';
import { type LiveChannel, liveChannel } from './live-channel.ts';
import { onceByKey } from './once.ts';
import type { PageFiles } from './page-files.ts';
import { sendJson, sendText } from './respond.ts';
import type { Project } from './start-form.ts';
import { watch } from './watch.ts';

export interface ServeOptions {
  readonly engine: Engine;
  /** A second connection to the engine's store. */
  readonly journal: Journal;
  readonly files: PageFiles;
  readonly token: string;
  /** The ports to try in turn; 0 means any free port. */
  readonly ports: readonly number[];
  /** Signs the orders that carry no signature. */
  readonly by: string;
  /** The templates that can be started from the page; by default none. */
  readonly project?: Project;
}

export interface InspectorServer {
  /** The page's address, with the token. */
  readonly url: string;
  /** Takes the pieces of models' answers for the pages. Runs that are driven here on orders of a page are heard already. */
  readonly hear: LiveChannel['hear'];
  /** Ends the streams, and leaves the runs that were driven here to be resumed. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

const noProject: Project = { folder: '.', templates: () => [], read: () => undefined };

/** Undefined if none of the ports is free. */
export async function serve({
  engine,
  journal,
  files,
  token,
  ports,
  by,
  project = noProject,
}: ServeOptions): Promise<InspectorServer | undefined> {
  const closing = new AbortController();
  const watching = watch(journal);
  const live = liveChannel();
  const driving = drivers(engine, live.hear);
  const served = { engine, journal, watch: watching, live, drivers: driving, files, by, project, once: onceByKey() };
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const admitted = admit(request, { port, token });
    if (!admitted.ok) return sendText(response, admitted.error.status, admitted.error.message);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, closing.signal]);
    answer(served, request, response, admitted.value.path, admitted.value.query, signal).then(
      () => response.end(),
      (error: unknown) => (response.headersSent ? response.end() : sendJson(response, 500, faultAnswer(error))),
    );
  });
  const port = await listen(server, ports);
  if (port === undefined) {
    watching.stop();
    return undefined;
  }
  return {
    url: `http://${HOST}:${port}/${token}/`,
    hear: live.hear,
    async close() {
      closing.abort();
      watching.stop();
      server.close();
      server.closeIdleConnections();
      await driving.stop();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, ports: readonly number[]): Promise<number | undefined> {
  for (const port of ports) {
    server.listen(port, HOST);
    try {
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
  return undefined;
}
