// The command `docs`: pages, parts of pages, codes, former names, and names that do not exist.
import { describe, expect, it } from 'vitest';
import { call } from './reconverge.ts';

describe('docs', () => {
  it('lists pages in reading order, with their titles and the folder', async () => {
    const { code, stdout } = await call(['docs']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Start\n {2}quickstart +Quickstart$/m);
    expect(stdout).toMatch(/^ {2}reference\/cli +The command line$/m);
    expect(stdout).toContain('The files are in /');
  });

  it('prints a page, a part of a page, and the page of a command', async () => {
    expect((await call(['docs', 'quickstart'])).stdout).toMatch(/^# Quickstart\n/);
    expect((await call(['docs', 'lisp#limits'])).stdout).toMatch(/^## Limits\n[\s\S]*`fuel`/);
    expect((await call(['docs', 'resume'])).stdout).toContain('reconverge resume RUN');
  });

  it('explains a code with its fix', async () => {
    const { code, stdout } = await call(['docs', 'STEP_TIMEOUT']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^### STEP_TIMEOUT\n\n.+\n\n\*\*Fix:\*\* .+\n$/);
  });

  it('finds a page by its former name', async () => {
    const { stdout } = await call(['docs', 'events', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ page: 'reference/events', title: 'Events' });
  });

  it('suggests the nearest page, part or code', async () => {
    for (const [name, nearest] of [
      ['gats', 'gates'],
      ['lisp#limts', 'limits'],
      ['STEP_TIMEUT', 'STEP_TIMEOUT'],
    ] as const) {
      const { code, stderr } = await call(['docs', name]);
      expect(code).toBe(2);
      expect(stderr).toContain(`did you mean "${nearest}"?`);
    }
    expect((await call(['docs', '../package'])).stderr).toContain('list the pages: reconverge docs');
  });
});
