// The last tool list of each server, stored beside the run store, so that templates can be checked without starting servers.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, digestOf } from '../../base/digest.ts';
import type { Issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import type { Duration, Instant } from '../../base/quantity.ts';
import type { McpServer } from '../../template/keys/mcp-server.ts';
import type { DeclaredTools } from './declare.ts';

/** Older lists may be outdated. */
const TTL: Duration = 7 * 24 * 3_600_000;
/** The version of the tool declarations; lists of other versions are ignored. */
const FORMAT = 3;

interface CachedListing {
  readonly format: number;
  readonly server: string;
  readonly at: Instant;
  /** The digest of `listing`. */
  readonly digest: Digest;
  readonly listing: DeclaredTools;
}

/** Undefined when there is no list, or only an outdated or damaged one. */
export async function readListing(
  folder: string,
  server: McpServer,
  base: string,
  now: Instant,
): Promise<DeclaredTools | undefined> {
  try {
    const kept: CachedListing = JSON.parse(await readFile(fileOf(folder, server, base), 'utf8'));
    // A time in the future means that the clock was set back, so the age is unknown.
    const isFresh = kept.at <= now && now - kept.at < TTL;
    const isGood = kept.format === FORMAT && isFresh && kept.digest === digestOfListing(kept.listing);
    return isGood ? kept.listing : undefined;
  } catch {
    return undefined;
  }
}

/** Writes atomically. When the folder is read-only, the server is simply asked again. */
export async function keepListing(
  folder: string,
  server: McpServer,
  base: string,
  now: Instant,
  listing: DeclaredTools,
): Promise<void> {
  const kept: CachedListing = {
    format: FORMAT,
    server: server.name,
    at: now,
    digest: digestOfListing(listing),
    listing,
  };
  const file = fileOf(folder, server, base);
  const draft = `${file}.${randomUUID()}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify(kept), { mode: 0o600 });
    await rename(draft, file);
  } catch {
    // The cache is optional.
  }
}

function digestOfListing({ declarations, issues }: { declarations: unknown; issues: readonly Issue[] }): Digest {
  return digestOf(JSON.parse(JSON.stringify([declarations, issues])) as Json);
}

/** The file name depends on the server's declaration, with secrets by name, and on the base folder. */
function fileOf(folder: string, { connectTimeout: _, ...server }: McpServer, base: string): string {
  return join(folder, `${server.name}-${digestOf(JSON.parse(JSON.stringify([server, base])) as Json)}.json`);
}
