// Tools of servers over stdio: two from the registry, and one that does what no server should.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callCapability } from '../../../src/capabilities/call.ts';
import type { Capability } from '../../../src/capabilities/capability.ts';
import { logTo } from '../../../src/capabilities/log.ts';
import { contextIn, failureFrom, folderWith, resultFrom } from '../workbench.ts';
import { callsIn, everything, filesystem, givenServers, refusalOf, rogue, toolOf, toolsOf } from './given-servers.ts';

const call = (tool: Capability, input: object = {}) => resultFrom(tool, { ...input }, '.');
const fail = (tool: Capability, input: object = {}) => failureFrom(tool, { ...input }, '.');

describe('server-everything', () => {
  it('lists its tools under valid names, each with its contract', async () => {
    const tools = await toolsOf(everything());
    expect([...tools.keys()]).toEqual(expect.arrayContaining(['every.echo', 'every.get_sum', 'every.get_tiny_image']));
    expect(tools.get('every.get_sum')?.declaration).toMatchObject({
      input: { type: 'object', required: ['a', 'b'] },
      tags: ['mcp', 'every'],
      origin: { server: 'every', tool: 'get-sum' },
    });
  });

  it('gets no call whose input breaks the contract', async () => {
    const sum = await toolOf(everything(), 'every.get_sum');
    expect(await call(sum, { a: 1, b: 2 })).toBe('The sum of 1 and 2 is 3.');
    expect(await fail(sum, { a: 1 })).toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('returns structured content, checked against the output contract', async () => {
    const tool = await toolOf(everything(), 'every.get_structured_content');
    expect(await call(tool, { location: 'Chicago' })).toMatchObject({ temperature: expect.any(Number) });
  });

  it('returns JSON texts as JSON, and blocks of several kinds as a list', async () => {
    const servers = givenServers();
    const env = await call(await toolOf(everything({ OWN: 'mine' }), 'every.get_env', servers));
    expect(env).toMatchObject({ OWN: 'mine' });
    const image = await call(await toolOf(everything(), 'every.get_tiny_image', servers));
    expect(image).toContainEqual({ type: 'image', mimeType: 'image/png', data: expect.any(String) });
  });

  it('gets only its own environment and the variables that any program needs', async () => {
    process.env.OURS = 'secret';
    const env = await call(await toolOf(everything({ OWN: 'mine' }), 'every.get_env'));
    delete process.env.OURS;
    expect(env).toMatchObject({ PATH: process.env.PATH, OWN: 'mine' });
    expect(env).not.toHaveProperty('OURS');
  });

  it('stops an aborted call, and serves the next', async () => {
    const servers = givenServers();
    const slow = await toolOf(everything(), 'every.trigger_long_running_operation', servers);
    const aborter = new AbortController();
    const stopped = callCapability(slow, { duration: 60, steps: 2 }, contextIn('.', { signal: aborter.signal }));
    aborter.abort();
    expect(await stopped).toMatchObject({ ok: false, error: { code: 'CAPABILITY_ABORTED' } });
    expect(await call(await toolOf(everything(), 'every.echo', servers), { message: 'still here' })).toContain(
      'still here',
    );
  });
});

describe('server-filesystem', () => {
  it('declares read-only tools as reading, and all others as writing', async () => {
    const tools = await toolsOf(filesystem(await folderWith()));
    const said = (name: string) => tools.get(name)?.declaration;
    expect(said('files.read_text_file')).toMatchObject({ effects: ['read'], repeat: 'safe' });
    expect(said('files.write_file')).toMatchObject({ effects: ['write', 'delete'], repeat: 'safe' });
    expect(said('files.edit_file')).toMatchObject({ effects: ['write', 'delete'] });
    expect(said('files.edit_file')).toMatchObject({ repeat: 'never' });
  });

  it('reads and writes files', async () => {
    const folder = await folderWith({ 'a.txt': 'hello' });
    const servers = givenServers();
    const tool = (name: string) => toolOf(filesystem(folder), name, servers);
    expect(await call(await tool('files.read_text_file'), { path: join(folder, 'a.txt') })).toEqual({
      content: 'hello',
    });
    await call(await tool('files.write_file'), { path: join(folder, 'b.txt'), content: 'new' });
    expect(existsSync(join(folder, 'b.txt'))).toBe(true);
  });

  it('fails with the message of the server', async () => {
    const folder = await folderWith();
    const read = await toolOf(filesystem(folder), 'files.read_text_file');
    expect(await fail(read, { path: '/etc/passwd' })).toMatchObject({
      code: 'MCP_TOOL_FAILED',
      message: expect.stringContaining('Access denied'),
    });
  });
});

describe('a server that cannot be used', () => {
  it('is reported for a missing command or folder', async () => {
    expect(await refusalOf({ ...rogue(), command: 'no-such-program' })).toBe(
      'MCP_START_FAILED: server "rogue" cannot be started: there is no command "no-such-program"',
    );
    expect(await refusalOf({ ...rogue(), cwd: 'no-such-folder' })).toContain('there is no folder');
  });

  it('is reported with its exit and last output when it ends at once', async () => {
    expect(await refusalOf(rogue('exit'))).toBe(
      'MCP_CONNECTION_LOST: server "rogue" ended with exit code 3 before it answered; it said: no configuration found',
    );
  });

  it('is given up when it never answers', async () => {
    expect(await refusalOf({ ...rogue('mute'), connectTimeout: 300 })).toBe(
      'MCP_CONNECT_TIMEOUT: server "rogue" did not answer within 0.3 s',
    );
  });

  it('is reported with its missing variable', async () => {
    const fillIn = (text: string) => {
      if (text.includes('${')) throw new Error('the environment variable TOKEN is not set');
      return text;
    };
    expect(
      await refusalOf(rogue('plain', undefined, { TOKEN: '${secret.TOKEN}' }), givenServers({ fillIn })),
    ).toContain('server "rogue": the environment variable TOKEN is not set');
  });
});

describe('a server that misbehaves', () => {
  it('works although it prints lines that are no messages', async () => {
    expect(await call(await toolOf(rogue('garbage'), 'rogue.echo'), { a: 1 })).toEqual({ a: 1 });
  });

  it('keeps callable tools, and warns of the others', async () => {
    const listed = await givenServers().tools(rogue(), '.');
    if (!listed.ok) throw new Error('not listed');
    const names = listed.value.map(({ declaration }) => declaration.name);
    expect(names).toEqual(
      expect.arrayContaining(['rogue.echo', 'rogue.no_schema', 'rogue.odd_schema', 'rogue.die_reading']),
    );
    expect(names.filter((name) => name === 'rogue.echo')).toHaveLength(1);
    expect(listed.warnings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'MCP_TOOL_DUPLICATE: server "rogue" lists two tools named "echo"',
      'MCP_TOOL_UNREADABLE: server "rogue" lists a tool without a name, which cannot be called',
      'MCP_SCHEMA_RELAXED: the input of rogue.odd_schema is not checked for patternProperties, properties.a.pattern',
    ]);
  });

  it('is restarted after a crash, and a reading call is sent again', async () => {
    const file = join(await folderWith(), 'calls');
    const servers = givenServers();
    expect(await fail(await toolOf(rogue('plain', file), 'rogue.die_reading', servers))).toMatchObject({
      code: 'MCP_CONNECTION_LOST',
      message: 'server "rogue" ended with exit code 9 before it answered; it said: out of memory',
      retry: 'may',
    });
    expect(await call(await toolOf(rogue('plain', file), 'rogue.echo', servers), { a: 1 })).toEqual({ a: 1 });
    expect(callsIn(file)).toEqual(['dieReading', 'dieReading', 'echo']);
  });

  it('gets no second call that it may have carried out', async () => {
    const file = join(await folderWith(), 'calls');
    const die = await toolOf(rogue('plain', file), 'rogue.die');
    expect(await fail(die)).toMatchObject({ code: 'MCP_CONNECTION_LOST', fate: 'unknown' });
    expect(callsIn(file)).toEqual(['die']);
  });

  it('cannot exhaust memory with a response', async () => {
    const servers = givenServers();
    const huge = { code: 'MCP_RESULT_TOO_LARGE', retry: 'never' };
    expect(await fail(await toolOf(rogue(), 'rogue.huge', servers))).toMatchObject(huge);
    expect(await fail(await toolOf(rogue(), 'rogue.too_huge', servers))).toMatchObject(huge);
    expect(await call(await toolOf(rogue(), 'rogue.echo', servers), { a: 1 })).toEqual({ a: 1 });
  });

  it('fails a refused call without a second request', async () => {
    expect(await fail(await toolOf(rogue(), 'rogue.refuse'))).toMatchObject({
      code: 'MCP_TOOL_FAILED',
      message: 'server "rogue" refused tools/call: no refuse (error -32602)',
      retry: 'never',
    });
  });

  it('is listed again after it announces a change', async () => {
    const servers = givenServers();
    expect((await toolsOf(rogue(), servers)).has('rogue.grown')).toBe(false);
    await call(await toolOf(rogue(), 'rogue.grow', servers));
    expect((await toolsOf(rogue(), servers)).has('rogue.grown')).toBe(true);
  });

  it('writes to the log of the running call, without secrets', async () => {
    const said: string[] = [];
    const redact = (text: string) => text.replaceAll('hush', '***');
    const speak = await toolOf(rogue('plain', undefined, { TOKEN: 'hush' }), 'rogue.speak', givenServers({ redact }));
    await callCapability(
      speak,
      {},
      contextIn('.', { log: logTo(({ source, message }) => said.push(`${source}: ${message}`)) }),
    );
    expect(said).toEqual(['rogue: the token is ***']);
  });

  it('ends with the engine, whatever it does', async () => {
    const servers = givenServers();
    const hang = await toolOf(rogue('stubborn'), 'rogue.hang', servers);
    const hanging = callCapability(hang, {}, contextIn('.'));
    await servers.close();
    expect(await hanging).toMatchObject({ ok: false, error: { fate: 'unknown' } });
  });
});
