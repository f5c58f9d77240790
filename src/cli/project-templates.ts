// Lists the templates of the working folder: the template that `init` writes, and those in the usual templates folder.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isScenarioFile } from '../testing/scenarios/read-scenarios.ts';

export function projectTemplates(): readonly string[] {
  const own = ['template.yaml', 'template.yml'].filter((file) => existsSync(file));
  const isTemplate = (name: string): boolean => /\.ya?ml$/.test(name) && !isScenarioFile(name);
  const inFolder = existsSync('templates') ? readdirSync('templates').filter(isTemplate) : [];
  return [...own, ...inFolder.map((name) => join('templates', name))];
}
