// Printed commands can be typed: the words that call the command line depend on how it was called.
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { programOf } from '../../src/cli/program.ts';
import { root } from '../sources.ts';

const project = mkdtempSync(join(tmpdir(), 'reconverge-typed-'));
const own = join(project, 'node_modules/reconverge');
const bin = join(project, 'node_modules/.bin');

/** The package as npm lays it out, with a global program and a run beside it. */
beforeAll(async () => {
  mkdirSync(own, { recursive: true });
  cpSync(inject('bundles'), join(own, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(own, 'package.json'));
  cpSync(join(root, 'schemas'), join(own, 'schemas'), { recursive: true });
  mkdirSync(bin);
  chmodSync(join(own, 'dist/cli/start.js'), 0o755);
  symlinkSync('../reconverge/dist/cli/start.js', join(bin, 'reconverge'));
  mkdirSync(join(project, 'global'));
  symlinkSync(join(own, 'dist/cli/start.js'), join(project, 'global/reconverge'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'mine', type: 'module' }));
  writeFileSync(
    join(project, 'plan.json'),
    JSON.stringify({ reconverge: 1, name: 'plan', steps: [{ name: 'one', type: 'compute', expr: '1' }] }),
  );
  await typed('node node_modules/reconverge/dist/cli/start.js run plan.json --quiet');
});

afterAll(() => rmSync(project, { recursive: true }));

/** The person's shell: Node and npm, without programs of a project. */
const shellPath = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);

/** Types a command line in the project. */
function typed(line: string, path = shellPath): Promise<string> {
  const env = { PATH: path, HOME: project, npm_config_offline: 'true', npm_config_update_notifier: 'false' };
  return new Promise((resolve) =>
    execFile('/bin/sh', ['-c', line], { cwd: project, env }, (_, out, err) => resolve(`${out}${err}`)),
  );
}

/** The command that the hint of a message names. */
function hinted(said: string): string {
  return /hint: see it: (.+)$/m.exec(said)?.[1] ?? `no hint in: ${said}`;
}

describe('a printed command', () => {
  it.each([
    ['by npx', 'npx reconverge', shellPath, 'npx reconverge'],
    ['by its path', './node_modules/.bin/reconverge', shellPath, 'npx reconverge'],
    ['from PATH', 'reconverge', `${join(project, 'global')}${delimiter}${shellPath}`, 'reconverge'],
  ])('can be typed when the program was called %s', async (_, called, path, words) => {
    const command = hinted(await typed(`${called} resume latest`, path));
    expect(command).toMatch(new RegExp(`^${words} show [a-z0-9]+$`));
    expect(await typed(command, path)).toContain('completed');
  });

  it('is typed with npx in the examples of --help', async () => {
    const program = './node_modules/.bin/reconverge';
    expect(await typed(`${program} run --help`)).toMatch(/^ +npx reconverge run templates\//m);
    const overview = await typed(`${program} --help`);
    expect(overview).toContain('Usage: npx reconverge COMMAND');
    expect(overview).toContain('npx reconverge init my-plan && cd my-plan && npx reconverge run template.yaml');
  });

  it('is typed with npx in the files that init writes', async () => {
    await typed('npx reconverge init plan');
    const template = readFileSync(join(project, 'plan/template.yaml'), 'utf8');
    expect(template).toContain('#   npx reconverge run template.yaml ');
    const explained = await typed('cd plan && npx reconverge explain template.yaml');
    expect(explained).toContain('report.write');
    expect(explained).not.toContain('http.');
  });

  it('is no command for an older Node, which is told the version it needs', async () => {
    const older = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})`;
    const said = await typed(`node --import 'data:text/javascript,${older}' ${join(own, 'dist/cli/start.js')} --help`);
    expect(said).toBe(
      'error: reconverge needs Node 24 or newer, and this is Node 20.1.0\n   hint: install a newer Node: https://nodejs.org/en/download\n',
    );
    // An older Node reads a module with all its static imports before it runs a line.
    expect(readFileSync(join(own, 'dist/cli/start.js'), 'utf8')).not.toMatch(/\bimport\s*["'{*\w]/);
  });

  it('begins with the words of the package manager that started the program', () => {
    const words = (folder: string, env: Record<string, string>) =>
      programOf({ folder, env, isExecutable: (file) => file === '/p/node_modules/.bin/reconverge' });
    const agent = (name: string) => ({ npm_config_user_agent: `${name}/9.0.0 node/v24`, PATH: '/p/node_modules/.bin' });
    const local = '/p/node_modules/reconverge/';
    expect(words(local, agent('npm'))).toBe('npx reconverge');
    expect(words('/p/node_modules/.pnpm/reconverge@1/node_modules/reconverge/', agent('pnpm'))).toBe(
      'pnpm exec reconverge',
    );
    expect(words(local, agent('yarn'))).toBe('yarn reconverge');
    expect(words(local, agent('bun'))).toBe('bunx reconverge');
    expect(words('/home/a/.npm/_npx/1f/node_modules/reconverge/', agent('npm'))).toBe('npx reconverge');
    const packed = { ...agent('npm'), npm_config_package: './reconverge.tgz' };
    expect(words('/home/a/.npm/_npx/1f/node_modules/reconverge/', packed)).toBe(
      'npx --package=./reconverge.tgz reconverge',
    );
    expect(words('/cache/pnpm/dlx/8d/node_modules/reconverge/', agent('pnpm'))).toBe('pnpm dlx reconverge');
    expect(words('/tmp/xfs-1/dlx-2/node_modules/reconverge/', agent('yarn'))).toBe('yarn dlx reconverge');
    expect(words('/tmp/bunx-0-reconverge/node_modules/reconverge/', {})).toBe('bunx reconverge');
    expect(words(local, { PATH: '/p/node_modules/.bin' })).toBe('reconverge');
    expect(words(local, { PATH: '/usr/bin' })).toBe('npx reconverge');
  });
});
