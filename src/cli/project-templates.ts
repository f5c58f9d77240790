// The templates of the working folder: the one that `init` writes, and all of the folder that most projects have.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function projectTemplates(): readonly string[] {
  const own = ['template.yaml', 'template.yml'].filter((file) => existsSync(file));
  const inFolder = existsSync('templates') ? readdirSync('templates').filter((name) => /\.ya?ml$/.test(name)) : [];
  return [...own, ...inFolder.map((name) => join('templates', name))];
}
