// Adds a command to a copy of the source: one file in `src/cli/commands` and one row in the list of commands.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../sources.ts';

const FILE = `// greet: says hello.
import { span } from '../../view/line.ts';
import { exitCodes } from '../exit-codes.ts';
import { storeFlag } from '../store-file.ts';

export const command = {
  arguments: [{ name: 'NAME', description: 'The person to greet.' }],
  flags: [{ name: '--loud', description: 'Greet in capitals.' }, storeFlag],
  examples: [{ command: 'reconverge greet Ada', does: 'say hello' }],
  async run({ given, terminal }) {
    const text = \`hello \${given.arguments[0]}\`;
    terminal.print([[span(given.has('loud') ? text.toUpperCase() : text)]]);
    return exitCodes.done;
  },
};
`;
const ROW =
  "  { name: 'greet', summary: 'Greet somebody.', carries: ['store'], load: () => import('./commands/greet.ts') },\n";

let copy = '';
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'reconverge-command-'));
  for (const name of ['src', 'package.json']) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const list = join(copy, 'src/cli/commands.ts');
  const text = readFileSync(list, 'utf8');
  const last = text.lastIndexOf('];\n', text.indexOf('export interface CommandCall'));
  writeFileSync(list, text.slice(0, last) + ROW + text.slice(last));
  writeFileSync(join(copy, 'src/cli/commands/greet.ts'), FILE);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

async function reconverge(...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(copy, 'src/cli/main.ts'), ...words]);
  return stdout;
}

it('a new command needs one file and one row', async () => {
  expect(await reconverge('greet', 'Ada', '--loud')).toBe('HELLO ADA\n');
  expect(await reconverge('--help')).toMatch(/^ {2}greet +Greet somebody\.$/m);
  expect(await reconverge('greet', '--help')).toMatch(/--loud +Greet in capitals\.[\s\S]*reconverge greet Ada/);
  expect(await reconverge('completion', 'bash')).toContain('greet');
  await expect(reconverge('gret')).rejects.toThrow('did you mean "greet"?');
});

it('hints to a new command carry the flags that its row names', async () => {
  const { asCalled } = await import(join(copy, 'src/cli/store-file.ts'));
  const { commands } = await import(join(copy, 'src/cli/commands.ts'));
  const given = { commands, text: (flag: string) => (flag === 'store' ? 'other.db' : undefined) };
  expect(asCalled(given, 'say hello: reconverge greet Ada')).toContain('greet --store other.db Ada');
});
