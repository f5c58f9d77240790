// THIRD_PARTY.md names the material of others that the repository holds, by the files themselves.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './sources.ts';

const page = readFileSync(join(root, 'THIRD_PARTY.md'), 'utf8');
const row = /^\| `(\w+\.json)` \| `(\S+)` \| (MIT|Apache-2\.0), \S.* \|$/gm;

describe('THIRD_PARTY.md', () => {
  it('names the package, the version and the licence of each recorded list of tools', () => {
    const folder = join(root, 'bench/resolution/data/servers');
    const recorded = readdirSync(folder).map((file) => {
      const { package: from, license } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>;
      return [file, from, license];
    });
    expect([...page.matchAll(row)].map(([, ...cells]) => cells)).toEqual(recorded);
    expect(recorded.length).toBeGreaterThan(10);
  });

  it('names the version of the price list', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    expect(page).toContain(`\`@pydantic/genai-prices\` ${devDependencies['@pydantic/genai-prices']},`);
  });
});
