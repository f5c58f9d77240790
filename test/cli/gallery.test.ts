// init --from: copies of the gallery's templates are whole, valid, and say what to type.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gallery } from '../../src/cli/gallery/entries.ts';
import { root } from '../sources.ts';
import { call, project } from './reconverge.ts';

describe('init --from', () => {
  it.each(gallery)(
    'copies $name with its page, its data and a template that is valid in its new folder',
    async ({ name, commands }) => {
      const cwd = project();
      const written = await call(['init', '--from', name], { cwd });
      expect(written.code).toBe(0);
      for (const words of commands) expect(written.stderr).toContain(words);
      const folder = join(cwd, name);
      const readme = readFileSync(join(folder, 'README.md'), 'utf8');
      expect(readme).toContain(`reconverge init --from ${name}`);
      expect(readme).not.toMatch(/\]\((?!https?:|#)/);
      expect(existsSync(join(folder, 'data'))).toBe(true);
      expect(readFileSync(join(folder, 'template.yaml'), 'utf8')).not.toContain('templates/');
      const validated = await call(['validate', 'template.yaml'], { cwd: folder });
      expect({ code: validated.code, stderr: validated.stderr }).toEqual({ code: 0, stderr: '' });
      expect(validated.stdout).toMatch(/^template\.yaml: ok/);
    },
  );

  it('writes to a named folder, and overwrites no file', async () => {
    const cwd = project();
    const first = await call(['init', '--from', 'triage-refunds', 'mine', '--json'], { cwd });
    expect(JSON.parse(first.stdout)).toMatchObject({ folder: 'mine', files: expect.arrayContaining(['README.md']) });
    const { code, stderr } = await call(['init', '--from', 'triage-refunds', 'mine'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('FILE_EXISTS: mine/README.md is there already');
  });

  it('suggests the nearest name, and lists all names without one', async () => {
    const misspelled = await call(['init', '--from', 'triage-refund']);
    expect(misspelled.code).toBe(2);
    expect(misspelled.stderr).toContain(
      'there is no template "triage-refund" in the gallery; did you mean "triage-refunds"?',
    );
    const unknown = await call(['init', '--from', 'zzz']);
    for (const { name } of gallery) expect(unknown.stderr).toContain(name);
  });

  it('is completed by shells', async () => {
    expect((await call(['completion', 'bash'])).stdout).toMatch(/--from\) COMPREPLY=.*triage-refunds/);
  });
});

describe('init --list', () => {
  it('names every template with the need that it meets', async () => {
    const { stdout } = await call(['init', '--list']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(gallery.length);
    const listed = JSON.parse((await call(['init', '--list', '--json'])).stdout);
    expect(listed.templates).toEqual(gallery.map(({ name, summary }) => ({ name, summary })));
  });
});

describe('the gallery', () => {
  it('has a page for each template, and the index names each page', () => {
    const index = readFileSync(join(root, 'docs/examples/README.md'), 'utf8');
    const pages = readdirSync(join(root, 'docs/examples')).filter((file) => file !== 'README.md');
    expect(pages.sort()).toEqual(gallery.map(({ name }) => `${name}.md`).sort());
    for (const page of pages) expect(index).toContain(`(${page})`);
  });
});
