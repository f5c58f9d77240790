// Asks servers for tools that a run does not have: the servers of the template, or one at a URL that the template allows.

import { dirname, resolve } from 'node:path';
import type { Digest } from '../../base/digest.ts';
import { failure } from '../../base/failure.ts';
import { defined, type Json } from '../../base/json.ts';
import { bad, good } from '../../base/result.ts';
import type { Capability } from '../../capabilities/capability.ts';
import { failureOf } from '../../capabilities/capability-error.ts';
import { addressesFor, internet } from '../../capabilities/http/allow-list.ts';
import type { McpServers } from '../../capabilities/mcp/servers.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { isGranted } from '../../contract/grant.ts';
import type { EffectOutcome } from '../../engine/record/command.ts';
import type { Template } from '../../template/template.ts';
import { serverAt, serverOf, serversOf } from '../lock/template-servers.ts';
import { type LockGuard, refusedByLock } from './lock-guard.ts';

/** `from` is the name of a server, a URL, or a pattern of tool names; absent: all servers of the template. */
export type Discover = (from: string | undefined, agreed: readonly Digest[] | undefined) => Promise<EffectOutcome>;

export function discoverer(
  template: Template,
  folder: string,
  { tools }: McpServers,
  lock: LockGuard | undefined,
): Discover {
  const beside = dirname(resolve(folder, template.file));
  return async (from, agreed) => {
    const url = from === undefined ? undefined : urlIn(from);
    if (url !== undefined) {
      try {
        await addressesFor(url, template.http, internet);
      } catch (thrown) {
        return bad(failureOf(thrown));
      }
    }
    const own = serversOf(template);
    const named = own.filter(({ name }) => name === from);
    const asked = url !== undefined ? [serverAt(url)] : named.length > 0 ? named : own;
    if (asked.length === 0) {
      const message = 'the template names no server of tools; add one under capabilities: mcp';
      return bad(failure('MCP_NOT_LISTED', message, { retry: 'never' }));
    }
    const listed = await Promise.all(asked.map((server) => tools(server, beside)));
    const pattern = url === undefined && named.length === 0 ? from : undefined;
    const found = listed.flatMap((each) => (each.ok ? each.value.map(({ declaration }) => declaration) : []));
    const more = found.filter(
      ({ name }) =>
        !Object.hasOwn(template.capabilities, name) && (pattern === undefined || isGranted(name, [pattern], [])),
    );
    const origins = more.flatMap(({ origin }) =>
      origin === undefined ? [] : [url === undefined ? origin : { ...origin, url: url.href }],
    );
    const held = await lock?.tools(origins, agreed);
    if (held?.ok === false) return refusedByLock(held.error);
    const notes = listed.flatMap((each) => (each.ok ? [] : each.error.map(({ message }) => message)));
    const value = { tools: more.map((each) => plain(placed(each, url))), notes };
    return { ...good(value), ...defined({ lock: held?.value }) };
  };
}

/** Returns the capability for a tool that was found on a server. */
export function toolFinder(
  template: Template,
  folder: string,
  { pinned }: McpServers,
): (declaration: Declaration) => Capability | undefined {
  const beside = dirname(resolve(folder, template.file));
  return (declaration) => {
    const { origin } = declaration;
    const server = origin && serverOf(template, origin);
    return server === undefined ? undefined : pinned(server, beside, [declaration])[0];
  };
}

function urlIn(text: string): URL | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

function placed(declaration: Declaration, url: URL | undefined): Declaration {
  const { origin } = declaration;
  return url === undefined || origin === undefined
    ? declaration
    : { ...declaration, origin: { ...origin, url: url.href } };
}

function plain(declaration: Declaration): Json {
  return JSON.parse(JSON.stringify(declaration)) as Json;
}
