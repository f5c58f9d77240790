// Tools of servers that are not asked.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { offlineTools } from '../../../src/capabilities/mcp/offline-tools.ts';
import { root } from '../../sources.ts';
import { folderWith } from '../workbench.ts';
import { givenServers, rogue, toolsOf } from './given-servers.ts';

const DAY = 24 * 3_600_000;

async function offline(cache: string, { server = rogue(), now = 0, used = ['rogue.echo', 'files.list'] } = {}) {
  const found = await offlineTools(server, root, { cache, used, now });
  if (!found.ok) throw new Error('not answered');
  return {
    declarations: found.value.map(({ declaration }) => declaration),
    codes: found.warnings.map(({ code }) => code),
  };
}

describe('a server that is not started', () => {
  it('has the tools of its last list, with their issues', async () => {
    const cache = join(await folderWith(), 'mcp');
    const listed = await toolsOf(rogue(), givenServers({ cache }));
    const { declarations, codes } = await offline(cache);
    expect(declarations).toEqual([...listed.values()].map(({ declaration }) => declaration));
    expect(codes).toContain('MCP_TOOL_DUPLICATE');
  });

  it('is assumed to have the tools that the template uses when no list is known', async () => {
    const { declarations, codes } = await offline(await folderWith());
    expect(declarations).toMatchObject([{ name: 'rogue.echo', effects: ['write'] }]);
    expect(codes).toEqual(['MCP_NOT_LISTED']);
  });

  it('is listed from the cache for a week, and only with the same settings', async () => {
    const cache = await folderWith();
    await toolsOf(rogue(), givenServers({ cache }));
    expect((await offline(cache, { now: 6 * DAY })).codes).not.toContain('MCP_NOT_LISTED');
    expect((await offline(cache, { now: 8 * DAY })).codes).toEqual(['MCP_NOT_LISTED']);
    expect((await offline(cache, { server: rogue('other') })).codes).toEqual(['MCP_NOT_LISTED']);
  });

  it('is asked again when its cached list is damaged', async () => {
    const cache = await folderWith();
    await toolsOf(rogue(), givenServers({ cache }));
    const [file = ''] = readdirSync(cache);
    const kept = readFileSync(join(cache, file), 'utf8');
    writeFileSync(join(cache, file), kept.replace('rogue.echo', 'rogue.pwned'));
    expect((await offline(cache)).codes).toEqual(['MCP_NOT_LISTED']);
  });

  it('leaves no secret in the cache', async () => {
    const cache = await folderWith();
    const servers = givenServers({ cache, fillIn: (text) => text.replace('${secret.TOKEN}', 'hush') });
    await toolsOf(rogue('plain', undefined, { TOKEN: '${secret.TOKEN}' }), servers);
    const kept = readdirSync(cache).map((file) => readFileSync(join(cache, file), 'utf8'));
    expect(kept.join()).not.toContain('hush');
    expect(kept).toHaveLength(1);
  });
});
