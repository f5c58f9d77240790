// Tools of real servers that may be called only once: a killed process neither repeats nor loses an interrupted call.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { rogueScript } from '../capabilities/mcp/given-servers.ts';
import { rogueHttp } from '../capabilities/mcp/rogue-http.ts';
import { patience } from '../patience.ts';
import { begin, project, reconverge } from './reconverge.ts';

const template = (server: string, tool: string, more = '') => `reconverge: 1
name: write
capabilities: [{ mcp: ${server} }]
${more}steps:
  - { name: write, handler: ${tool}, input: {}, on_failure: retry, retry: { max_attempts: 3 } }
  - { name: after, type: compute, dependencies: [write], expr: !lisp (str "wrote " (:write data/results)) }
`;

const stdio = (file: string) => `{ name: rogue, command: ${process.execPath}, args: [${rogueScript}, plain, ${file}] }`;

/** Runs the template in a process that is killed during the call of the tool. */
async function killedInCall(cwd: string, isCalled: () => boolean): Promise<void> {
  const running = begin(['run', 'write.yaml', '--quiet'], { cwd });
  await vi.waitUntil(isCalled, patience);
  running.child.kill('SIGKILL');
  await running.ended;
}

it('an interrupted call over stdio opens a gate and is not repeated', async () => {
  const cwd = project();
  const file = join(cwd, 'calls');
  const files = project({ 'write.yaml': template(stdio(file), 'rogue.hang') });
  await killedInCall(files, () => existsSync(file));
  const calls = () => readFileSync(file, 'utf8').trim().split('\n');
  const resumed = await reconverge(['resume', 'latest', '--quiet'], { cwd: files });
  expect(resumed.code).toBe(3);
  expect(resumed.stdout).toContain('g1  outcome of write');
  expect(resumed.stdout).toContain('Nobody knows whether rogue.hang was carried out');
  const answered = await reconverge(['review', 'latest', 'g1', '--answer', 'a line', '--quiet'], { cwd: files });
  expect(answered.code).toBe(0);
  const { stdout } = await reconverge(['show', 'latest', '--result', 'after'], { cwd: files });
  expect(JSON.parse(stdout)).toBe('wrote a line');
  expect(calls()).toEqual(['hang']);
});

it('an interrupted call over HTTP is skipped when a person says so', async () => {
  const { server, asked } = await rogueHttp((what) => what === 'write');
  const cwd = project({ 'write.yaml': template(`{ name: remote, url: "${server.url}" }`, 'remote.write') });
  await killedInCall(cwd, () => asked.includes('write'));
  expect((await reconverge(['resume', 'latest', '--quiet'], { cwd })).code).toBe(3);
  const left = await reconverge(['review', 'latest', 'g1', '--reject', 'not needed', '--quiet'], { cwd });
  expect(left.code).toBe(0);
  expect(left.stdout).toContain('OUTCOME_UNKNOWN');
  expect(asked.filter((what) => what === 'write')).toHaveLength(1);
});

it('an unattended run fails with the reason', async () => {
  const { server, asked } = await rogueHttp((what) => what === 'write');
  const text = template(`{ name: remote, url: "${server.url}" }`, 'remote.write', 'on_unknown_outcome: fail\n');
  const cwd = project({ 'write.yaml': text });
  await killedInCall(cwd, () => asked.includes('write'));
  const { code, stdout } = await reconverge(['resume', 'latest', '--quiet'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain('OUTCOME_UNKNOWN');
  expect(asked.filter((what) => what === 'write')).toHaveLength(1);
});

it('a tool that the template declares repeatable is called again under the same key', async () => {
  const cwd = project();
  const file = join(cwd, 'calls');
  const server = stdio(file).replace(' }', ', tools: { hang: { effects: [write], repeat: safe } } }');
  const files = project({ 'write.yaml': template(server, 'rogue.hang') });
  await killedInCall(files, () => existsSync(file));
  const again = begin(['resume', 'latest', '--quiet'], { cwd: files });
  await vi.waitUntil(() => readFileSync(file, 'utf8').trim().split('\n').length === 2, patience);
  again.child.kill('SIGKILL');
  await again.ended;
});

it('an override for an unknown tool is an issue with the nearest name', async () => {
  const server = `{ name: rogue, command: ${process.execPath}, args: [${rogueScript}], tools: { hanng: { repeat: safe } } }`;
  const cwd = project({ 'write.yaml': template(server, 'rogue.hang') });
  const { code, stdout, stderr } = await reconverge(['validate', 'write.yaml', '--live'], { cwd });
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('MCP_TOOL_UNKNOWN');
  expect(stdout + stderr).toContain('did you mean "hang"?');
});
