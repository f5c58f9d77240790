// The output of commands at a real pseudo terminal of 80 columns, and their plain output in pipes.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnsOf } from '../../src/view/line.ts';
import { root } from '../sources.ts';
import { atTerminal, hasScript } from './pty.ts';
import { call, project } from './reconverge.ts';

const ESC = String.fromCharCode(27);
const COLUMNS = 80;

let cwd = '';
let clear = (): void => {};
beforeAll(async () => {
  cwd = project({}, (remove) => {
    clear = remove;
  });
  cpSync(join(root, 'templates'), join(cwd, 'templates'), { recursive: true });
  const input = ['--input', 'folder=templates/data/shop'];
  await call(['run', 'templates/replan-what-failed.yaml', ...input], { cwd });
  await call(['run', 'templates/review-then-publish.yaml', ...input], { cwd });
  const recorded = 'templates/cassettes/research-and-compare.json';
  await call(['run', 'templates/research-and-compare.yaml', '--replay', recorded], { cwd });
});
afterAll(() => {
  clear();
  rmSync(cwd, { recursive: true, force: true });
});

async function idOf(template: string): Promise<string> {
  const { runs } = JSON.parse((await call(['runs', '--json'], { cwd })).stdout);
  return runs.find((run: { readonly template: string }) => run.template === template).id;
}

/** Lines that are too wide, except for commands, which stay whole so that a person can copy them. */
function tooWide(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => columnsOf(line) > COLUMNS && !line.includes('reconverge '));
}

describe.skipIf(!hasScript)('at a terminal of 80 columns', () => {
  it.each([
    'show replan-what-failed',
    'show replan-what-failed --events',
    'why replan-what-failed report',
    'why research-and-compare',
    'why research-and-compare plan_research --receipts',
    'budget research-and-compare',
    'trace research-and-compare',
    'gates research-and-compare',
    'gates research-and-compare g1',
  ])('%s fits', async (line) => {
    const [name = '', template = '', ...rest] = line.split(' ');
    const { code, lines } = await atTerminal(cwd, [name, await idOf(template), ...rest], { columns: COLUMNS });
    expect(code).toBe(0);
    expect(lines.length).toBeGreaterThan(2);
    expect(tooWide(lines)).toEqual([]);
  });

  it.each([
    'runs',
    'gates',
    'stats',
    'explain templates/recon-then-execute.yaml',
    'explain templates/research-and-compare.yaml',
    'capabilities list',
    '--help',
    'run --help',
  ])('%s fits', async (line) => {
    const { code, lines } = await atTerminal(cwd, line.split(' '), { columns: COLUMNS });
    expect(code).toBe(0);
    expect(tooWide(lines)).toEqual([]);
  });

  it('diff fits', async () => {
    const words = ['diff', await idOf('replan-what-failed'), await idOf('research-and-compare')];
    expect(tooWide((await atTerminal(cwd, words, { columns: COLUMNS })).lines)).toEqual([]);
  });

  it('keeps every code and every id whole, and prints in full the text that the tree has shortened', async () => {
    const id = await idOf('replan-what-failed');
    const { lines } = await atTerminal(cwd, ['show', id], { columns: COLUMNS });
    const text = lines.join('\n').replace(/\n +/g, ' ');
    expect(text.match(/CSV_\w+/g)?.every((code) => code === 'CSV_BROKEN')).toBe(true);
    expect(text).toContain('templates/data/shop/thumbnails.bin:1: a quote stands where none may; double it within');
    expect(text).toContain(
      'plan_checks.1/suppliers  COLUMN_UNKNOWN: "templates/data/shop/suppliers.csv" has no column',
    );
  });

  it('draws the live tree within its width, and wraps the final text, but no command', async () => {
    const words = ['run', 'templates/replan-what-failed.yaml', '--input', 'folder=templates/data/shop'];
    const { code, lines } = await atTerminal(cwd, words, { columns: COLUMNS });
    expect(code).toBe(1);
    expect(tooWide(lines)).toEqual([]);
    expect(lines.filter((line) => /reconverge why [a-z0-9]{8} \S+$/.test(line))).toHaveLength(1);
  });

  it('shows issues in lines that fit, each caret under its text', async () => {
    const file = 'templates/review-then-publish.yaml';
    const { lines } = await atTerminal(cwd, ['show', 'n-o-w-h-e-r-e'], { columns: 40 });
    expect(lines[0]?.length).toBeLessThanOrEqual(40);
    expect(lines.join(' ')).toContain('error RUN_UNKNOWN');
    expect((await atTerminal(cwd, ['validate', file], { columns: 40 })).code).toBe(0);
  });

  it('has color, unless NO_COLOR or a dumb terminal forbids it', async () => {
    expect((await atTerminal(cwd, ['runs'], { columns: COLUMNS })).seen).toContain(`${ESC}[`);
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
      expect((await atTerminal(cwd, ['runs'], { columns: COLUMNS, env })).seen).not.toContain(ESC);
  });

  it('draws no tree on a dumb terminal, but prints one line for each event', async () => {
    const words = ['run', 'templates/replan-what-failed.yaml', '--input', 'folder=templates/data/shop'];
    const { seen } = await atTerminal(cwd, words, { columns: COLUMNS, env: { TERM: 'dumb' } });
    expect(seen).toContain('attempt.started       ingest');
    expect(seen).not.toContain(ESC);
  });
});

describe('in a pipe', () => {
  it('prints every line whole and without color', async () => {
    const { stdout } = await call(['show', await idOf('replan-what-failed')], { cwd });
    expect(stdout).not.toContain(ESC);
    expect(stdout).toMatch(/^ {2}tables\/6 {2}CSV_BROKEN: .*double it within a quoted field$/m);
    expect(stdout).toMatch(/^ {2}✗ suppliers .*COLUMN_UNKNOWN: .*seit$/m);
    const trace = (await call(['trace', await idOf('research-and-compare')], { cwd })).stdout;
    expect(trace).toMatch(/planning attempt 1 {2}FRAGMENT_UNKNOWN_CAPABILITY .*\$0\.\d{6}$/m);
  });

  it('has color when it is forced, with lines as wide as before', async () => {
    const { stdout } = await call(['explain', 'templates/recon-then-execute.yaml'], { cwd, env: { FORCE_COLOR: '1' } });
    expect(stdout).toContain(`${ESC}[2m`);
    expect(stdout).toMatch(/an Idempotency-Key\./);
    expect(stdout.split('\n').some((line) => line.length > 120)).toBe(true);
  });
});
