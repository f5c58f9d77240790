// A kept listing of a server is believed for its time, by a clock that may have been set.
import { expect, it } from 'vitest';
import { keepListing, readListing } from '../../../src/capabilities/mcp/listing-cache.ts';
import { readMcpServer } from '../../../src/template/keys/mcp-server.ts';
import { folderWith } from '../workbench.ts';

const HOUR = 3_600_000;
const NOW = 1_800_000_000_000;

it('a list with a time in the future is requested again', async () => {
  const folder = await folderWith();
  const server = readMcpServer({ name: 'files', command: 'node', args: [] });
  if (server === undefined) throw new Error('no server');
  const listing = { declarations: [], issues: [] };
  await keepListing(folder, server, folder, NOW, listing);
  const read = (now: number) => readListing(folder, server, folder, now);
  expect(await read(NOW)).toEqual(listing);
  expect(await read(NOW + 1)).toEqual(listing);
  expect(await read(NOW - 72 * HOUR)).toBeUndefined();
  expect(await read(NOW + 30 * 24 * HOUR)).toBeUndefined();
});
