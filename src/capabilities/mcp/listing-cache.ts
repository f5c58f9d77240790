// What servers listed the last time they were asked, kept beside the store: so that a template can be checked without starting any.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, digestOf } from '../../base/digest.ts';
import type { Issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import type { Duration, Instant } from '../../base/quantity.ts';
import type { McpServer } from '../../template/keys/mcp-server.ts';
import type { Declared } from './declare.ts';

/** What is older may have changed too much to be believed. */
const TTL: Duration = 7 * 24 * 3_600_000;
/** Of how tools are declared: what another version wrote is not read. */
const FORMAT = 3;

interface Kept {
  readonly format: number;
  readonly server: string;
  readonly at: Instant;
  /** Of what follows. */
  readonly digest: Digest;
  readonly listing: Declared;
}

/** Undefined when there is none, or none that can be believed. */
export async function readListing(
  folder: string,
  server: McpServer,
  base: string,
  now: Instant,
): Promise<Declared | undefined> {
  try {
    const kept: Kept = JSON.parse(await readFile(fileOf(folder, server, base), 'utf8'));
    // One from the future was kept before the clock was set back, and how old it is nobody knows.
    const isFresh = kept.at <= now && now - kept.at < TTL;
    const isGood = kept.format === FORMAT && isFresh && kept.digest === digestOfListing(kept.listing);
    return isGood ? kept.listing : undefined;
  } catch {
    return undefined;
  }
}

/** In one move. A folder that cannot be written costs only that servers are asked again. */
export async function keepListing(
  folder: string,
  server: McpServer,
  base: string,
  now: Instant,
  listing: Declared,
): Promise<void> {
  const kept: Kept = { format: FORMAT, server: server.name, at: now, digest: digestOfListing(listing), listing };
  const file = fileOf(folder, server, base);
  const draft = `${file}.${randomUUID()}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify(kept), { mode: 0o600 });
    await rename(draft, file);
  } catch {
    // Nothing depends on it.
  }
}

function digestOfListing({ declarations, issues }: { declarations: unknown; issues: readonly Issue[] }): Digest {
  return digestOf(JSON.parse(JSON.stringify([declarations, issues])) as Json);
}

/** By what the template says of the server, secrets by their names, and by where paths start. */
function fileOf(folder: string, { connectTimeout: _, ...server }: McpServer, base: string): string {
  return join(folder, `${server.name}-${digestOf(JSON.parse(JSON.stringify([server, base])) as Json)}.json`);
}
