// Runs the guides: writes their files, calls their commands, and compares the output with the printed one.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { gallery } from '../src/cli/gallery/entries.ts';
import { commandLine, type Host, openHost, surroundings } from './cli/reconverge.ts';
import { root } from './sources.ts';

const guides = [
  'quickstart',
  'library',
  'testing',
  'editor',
  'gates',
  'budgets',
  'planning',
  'failures',
  'recovery',
  'context',
  'concepts',
  'steps',
  'convergence',
  'details/plan-formats',
  'details/library',
  'agents',
  'capabilities-howto',
  'goals',
  'inspector',
  'mcp',
  'operations',
  'security',
  'tracing',
  'examples/README',
  ...gallery.map(({ name }) => `examples/${name}`),
];

const pages = ['README.md', ...guides.map((guide) => `docs/${guide}.md`)];

/** Blocks that are not files: sessions, and commands for the reader's own machine, such as an installation. */
const sessionLanguages: readonly string[] = ['console', 'sh'];

interface Example {
  readonly language: string;
  readonly text: string;
}

/** Creates a folder in which `reconverge` and the other programs and packages of the guides are installed. */
function workshop(later: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-guide-'));
  later(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'bin'));
  const script = `#!/bin/sh\nexec "${process.execPath}" "${commandLine()}" "$@"\n`;
  writeFileSync(join(folder, 'bin/reconverge'), script, { mode: 0o755 });
  writeFileSync(join(folder, 'bin/npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  symlinkSync(join(root, 'node_modules/.bin/mcp-server-filesystem'), join(folder, 'bin/mcp-server-filesystem'));
  mkdirSync(join(folder, 'node_modules/reconverge'), { recursive: true });
  for (const scope of ['@ai-sdk', '@opentelemetry'])
    symlinkSync(join(root, 'node_modules', scope), join(folder, 'node_modules', scope));
  for (const [door, path] of [
    ['index', 'index.js'],
    ['testing', 'testing/index.js'],
  ] as const) {
    const text = `export * from '${join(inject('bundles'), path)}';\n`;
    writeFileSync(join(folder, `node_modules/reconverge/${door}.js`), text);
  }
  symlinkSync(join(root, 'templates'), join(folder, 'node_modules/reconverge/templates'));
  const exported = { type: 'module', exports: { '.': './index.js', './testing': './testing.js' } };
  writeFileSync(join(folder, 'node_modules/reconverge/package.json'), JSON.stringify(exported));
  return folder;
}

function examplesIn(page: string): readonly Example[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', inside = '']) => ({
    language,
    text: inside,
  }));
}

/** The first line of a file is a comment with its name: `# release.yaml`, `// handlers.ts`, `-- init.lua`. */
function nameOf({ text }: Example): string {
  return /^(?:#|\/\/|--) (\S+)\n/.exec(text)?.[1] ?? '';
}

interface Session {
  readonly command: string;
  /** From `# exits 3` behind the command; 0 without it. */
  readonly code: number;
  readonly answers: readonly string[];
}

/** A session is `$ command` with lines of its output below, in order; `…` stands for any text. */
function sessionsIn({ text }: Example): readonly Session[] {
  return text.split(/^\$ /m).flatMap((part) => {
    const [command = '', ...answers] = part.trimEnd().split('\n');
    const code = Number(/# exits (\d+)$/.exec(command)?.[1] ?? 0);
    return command === '' ? [] : [{ command, code, answers: answers.filter((line) => line.trim() !== '…') }];
  });
}

/** A command of `reconverge` without anything that a shell would read. */
const PLAIN = /^(?:npx )?reconverge [^|<>;&*$(`]*$/;

/** Runs plain commands in the guide's host, because a process for each of them takes most of the time, and others in a shell. */
async function call(
  host: Host,
  cwd: string,
  command: string,
  bin: string,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const env = { PATH: `${bin}:${process.env.PATH}`, USER: 'ann', LOGNAME: 'ann' };
  const typed = command.replace(/ # .*/, '');
  if (PLAIN.test(typed)) return host.call(wordsOf(typed.replace('npx ', '')).slice(1), { cwd, env });
  const running = promisify(execFile)('sh', ['-c', `{ ${typed}\n} 2>&1 </dev/null`], { cwd, env: surroundings(env) });
  const outcome = await running.catch((error: { readonly code: number; readonly stdout: string }) => error);
  return { code: 'code' in outcome ? outcome.code : 0, said: outcome.stdout };
}

/** The words of a command, without their quotes. */
function wordsOf(command: string): readonly string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

function patternOf(line: string): RegExp {
  const parts = line.trim().split('…');
  return new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*'));
}

/** The first line of the guide that the output does not contain in this order. */
function missing(answers: readonly string[], said: string): string | undefined {
  const lines = said.split('\n');
  let from = 0;
  for (const answer of answers) {
    const pattern = patternOf(answer);
    const at = lines.findIndex((line, index) => index >= from && pattern.test(line));
    if (at < 0) return answer;
    from = at + 1;
  }
  return undefined;
}

describe.concurrent.each(pages)('%s', (page) => {
  const examples = examplesIn(page);

  it('has no example that this test does not run', () => {
    const strange = examples.filter(
      ({ language, ...each }) => !sessionLanguages.includes(language) && nameOf({ language, ...each }) === '',
    );
    expect(strange).toEqual([]);
    expect(examples.some(({ language }) => language === 'console')).toBe(true);
  });

  it('shows the real output of its commands', { timeout: 1_200_000 }, async ({ onTestFinished }) => {
    const shop = workshop(onTestFinished);
    let cwd = shop;
    const host = openHost();
    onTestFinished(() => host.close());
    for (const example of examples) {
      if (!sessionLanguages.includes(example.language)) writeFileSync(join(cwd, nameOf(example)), example.text);
      for (const { command, code, answers } of example.language === 'console' ? sessionsIn(example) : []) {
        const [, folder] = /^cd ([\w./-]+)$/.exec(command) ?? [];
        if (folder !== undefined) {
          cwd = join(cwd, folder);
          continue;
        }
        const answer = await call(host, cwd, command, join(shop, 'bin'));
        expect({ command, code: answer.code, missing: missing(answers, answer.said), said: answer.said }).toEqual({
          command,
          code,
          missing: undefined,
          said: answer.said,
        });
      }
    }
  });
});
