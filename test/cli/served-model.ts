// A model server that is closed after the test.
import { onTestFinished } from 'vitest';
import { type ModelServer, type ModelServerOptions, openModelServer } from '../../src/testing/model-server.ts';

export async function serverWith(options: ModelServerOptions): Promise<ModelServer> {
  const server = await openModelServer(options);
  onTestFinished(() => server.close());
  return server;
}
