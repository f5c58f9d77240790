// Runs whose steps call tools of real MCP servers.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { placeText } from '../../src/base/place.ts';
import type { EngineOptions } from '../../src/runtime/api/engine-options.ts';
import { filesystemScript, rogueScript } from '../capabilities/mcp/given-servers.ts';
import { codes, engineOf, good, pathTo } from './set-up.ts';

const server = (script: string, ...args: string[]) =>
  `command: ${JSON.stringify(process.execPath)}, args: ${JSON.stringify([script, ...args])}`;

/** A template with these servers and steps, in the test's folder. */
function templateWith(servers: string, steps: string, more = ''): string {
  const text = `reconverge: 1\nname: calls-servers\n${more}\ncapabilities:\n${servers}\nsteps:\n${steps}\n`;
  writeFileSync(pathTo('template.yaml'), text);
  return 'template.yaml';
}

async function runOf(template: string, options: EngineOptions = {}) {
  const engine = engineOf(options);
  const handle = good(await engine.start(good(await engine.load(template))));
  return { engine, report: await handle.done, record: good(engine.read(handle.id)) };
}

describe('a run that calls MCP servers', () => {
  it('passes the result of one server to a tool of another', async () => {
    writeFileSync(pathTo('a.txt'), 'hello');
    const template = templateWith(
      `  - mcp: { name: files, ${server(filesystemScript, '.')} }\n  - mcp: { name: rogue, ${server(rogueScript)} }`,
      `  - { name: read, handler: files.read_text_file, input: { path: a.txt } }
  - { name: repeat, handler: rogue.echo, input: { said: "{{ results.read.content }}" } }`,
    );
    const { report } = await runOf(template);
    expect(report).toMatchObject({
      status: 'completed',
      output: { repeat: { said: 'hello' } },
      spent: { tool_calls: 2 },
    });
  });

  it('keeps the declarations of its tools, and fails at the call when the server does not start again', async () => {
    const script = pathTo('own-server.ts');
    writeFileSync(script, readFileSync(rogueScript));
    const template = templateWith(
      `  - mcp: { name: rogue, ${server(script)} }`,
      `  - { name: ask, type: human_review, prompt: Go on? }
  - { name: read, handler: rogue.echo, input: { a: 1 }, dependencies: [ask] }`,
    );
    const { engine, report } = await runOf(template);
    expect(report.status).toBe('waiting');
    await engine.close();
    writeFileSync(script, 'process.exit(1)');
    const later = engineOf();
    const order = { type: 'review', gate: 'g1', verdict: 'approve', by: 'ann' } as const;
    const ordered = good(await later.order(report.run, order));
    expect(await ordered.handle?.done).toMatchObject({
      status: 'failed',
      failure: { message: expect.stringContaining('server "rogue" ended with exit code 1') },
    });
    expect(good(later.read(report.run)).template.capabilities['rogue.echo']).toMatchObject({ effects: ['read'] });
  });

  it('gives a server its secret, and keeps the secret out of its output, its log and the store', async () => {
    const template = templateWith(
      `  - mcp: { name: rogue, ${server(rogueScript)}, env: { TOKEN: "\${secret.HUB_TOKEN}" } }`,
      '  - { name: speak, handler: rogue.speak }',
    );
    const said: string[] = [];
    const surroundings = { ...process.env, HUB_TOKEN: 'hush-hush' };
    const { report, record, engine } = await runOf(template, {
      surroundings,
      onLog: (_run, step, message) => said.push(`${step}: ${message}`),
    });
    expect(report.output).toEqual({ speak: 'the token is ***' });
    expect(said).toEqual(['speak: rogue: the token is ***']);
    expect(JSON.stringify(record.events)).not.toContain('hush-hush');
    await engine.close();
    expect(readFileSync(pathTo('.reconverge', 'runs.db')).includes('hush-hush')).toBe(false);
  });

  it('leaves no server running when its engine is closed', async () => {
    const template = templateWith(
      `  - mcp: { name: rogue, ${server(rogueScript, 'stubborn')} }`,
      '  - { name: ask, handler: rogue.pid }',
    );
    const { engine, report } = await runOf(template);
    const { ask } = report.output as { readonly ask: { readonly pid: number } };
    expect(process.kill(ask.pid, 0)).toBe(true);
    await engine.close();
    expect(() => process.kill(ask.pid, 0)).toThrow('ESRCH');
  });
});

describe('a template that names MCP servers', () => {
  it('is refused with the place of each server that cannot be used', async () => {
    const template = templateWith(
      `  - mcp: { name: none, command: no-such-program }
  - mcp: { name: locked, ${server(rogueScript)}, env: { TOKEN: "\${secret.HUB_TOKEN}" } }`,
      '  - { name: ask, handler: none.ask }',
    );
    const loaded = await engineOf({ surroundings: { PATH: process.env.PATH } }).load(template);
    expect(codes(loaded)).toEqual(['MCP_START_FAILED', 'SECRET_MISSING']);
    const places = loaded.ok ? [] : loaded.error.map(({ place }) => place && placeText(place));
    expect(places).toEqual(['template.yaml:5:5', 'template.yaml:6:5']);
  });

  it('is refused when it calls an unknown tool, or calls a tool without a required argument', async () => {
    const template = templateWith(
      `  - mcp: { name: files, ${server(filesystemScript, '.')} }`,
      `  - { name: read, handler: files.read_txt_file, input: { path: a.txt } }
  - { name: move, handler: files.move_file, input: { source: a.txt } }`,
    );
    const loaded = await engineOf().load(template);
    const said = loaded.ok ? [] : loaded.error.map(({ message, hint }) => `${message}; ${hint}`);
    expect(said.join('\n')).toContain('did you mean "files.read_text_file"?');
    expect(said.join('\n')).toContain('destination');
  });

  it('loads with warnings about faulty tools of a server', async () => {
    const template = templateWith(
      `  - mcp: { name: rogue, ${server(rogueScript)} }`,
      '  - { name: ask, handler: rogue.echo }',
    );
    const loaded = await engineOf().load(template);
    expect(loaded.ok && loaded.warnings.map(({ code, place }) => `${place?.line} ${code}`)).toEqual([
      '5 MCP_TOOL_DUPLICATE',
      '5 MCP_TOOL_UNREADABLE',
      '5 MCP_SCHEMA_RELAXED',
    ]);
  });
});
