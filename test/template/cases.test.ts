// Every finding about a template: its code, its place, its caret, its hint, beside the text that earns it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderIssues } from '../../src/template/diagnostic.ts';
import { loadTemplate } from '../../src/template/load.ts';
import { parseYaml } from '../../src/template/parse/parse-yaml.ts';
import { declarations } from './declarations.ts';

const folder = join(import.meta.dirname, 'cases');
const cases = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

function diagnose(name: string): string {
  const parsed = parseYaml(readFileSync(join(folder, name), 'utf8'), name);
  const loaded = loadTemplate(parsed, declarations);
  const issues = loaded.ok ? loaded.warnings : loaded.error;
  return `${renderIssues(issues, () => parsed.lines)}\n`;
}

describe('a template with an error', () => {
  it.each(cases)('%s gives the expected issues with their places', async (name) => {
    await expect(diagnose(name)).toMatchFileSnapshot(join(folder, name.replace('.yaml', '.txt')));
  });

  it.each(cases.filter((name) => name !== 'good.yaml'))('%s has the code of its file name', (name) => {
    const code = name.replace('.yaml', '').replaceAll('-', '_').toUpperCase();
    expect(diagnose(name)).toContain(code);
  });
});
