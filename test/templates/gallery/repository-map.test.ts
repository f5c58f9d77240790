// The template repository-map finds what was planted in repositories, and maps real ones: this checkout, and packages of others.
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources, root } from '../../sources.ts';
import { copyOf, runIn } from './run-template.ts';

interface RepositoryMap {
  readonly areas: readonly {
    readonly area: string;
    readonly files: number;
    readonly lines: number;
    readonly depends_on: readonly string[];
    readonly used_by: readonly string[];
  }[];
  readonly cycles: readonly { readonly files: readonly string[] }[];
  readonly hubs: readonly { readonly path: string; readonly imported_by: number }[];
  readonly untested: readonly string[];
  readonly risks: readonly { readonly kind: string; readonly where: string; readonly says: string }[];
  readonly diagram: string;
}

const placesOf = ({ risks }: RepositoryMap, kind: string): readonly string[] =>
  risks
    .filter((each) => each.kind === kind)
    .map(({ where }) => where)
    .toSorted();

describe('the sample', () => {
  it('has the planted risks at their lines, and no others', async () => {
    const { report, output } = await runIn<RepositoryMap>(copyOf('repository-map'));
    expect(report).toMatchObject({ status: 'completed', partial: false });
    expect(placesOf(output, 'secret')).toEqual(['src/config/index.ts:6']);
    expect(placesOf(output, 'dangerous call')).toEqual([
      'jobs/nightly.py:8',
      'jobs/report.py:10',
      'scripts/setup.js:4',
      'src/storage/boats.ts:13',
      'src/storage/boats.ts:4',
      'src/storage/boats.ts:9',
      'src/storage/query.ts:9',
    ]);
    expect(output.cycles.map(({ files }) => files)).toEqual([
      ['src/berths/price.ts', 'src/berths/season.ts'],
      ['src/server/routes.ts', 'src/server/session.ts'],
    ]);
    expect(output.untested).toEqual(['jobs', 'src/tides']);
    expect(placesOf(output, 'loose dependency')).toEqual([
      'jobs/requirements.txt:2',
      'jobs/requirements.txt:3',
      'package.json:10',
      'package.json:11',
    ]);
    expect(placesOf(output, 'install script')).toEqual(['package.json:6']);
    expect(output.risks.filter(({ kind }) => kind === 'missing').map(({ says }) => says)).toEqual([
      'the repository has no license',
    ]);
    expect(output.hubs[0]).toEqual({ path: 'src/berths/price.ts', imported_by: 3 });
    expect(output.areas.find(({ area }) => area === 'src/berths')).toMatchObject({
      depends_on: ['src/storage'],
      used_by: ['src/server', 'test/berths'],
    });
  });
});

describe('a Go and Rust repository', () => {
  it('is mapped by its packages and modules', async () => {
    const folder = copyOf('repository-map', {
      'other/LICENSE': 'MIT',
      'other/README.md': '# Other',
      'other/go.mod': 'module example.com/other\n\nrequire (\n\tgithub.com/a/b v1.2.3\n)\n',
      'other/go.sum': '',
      'other/cmd/server/main.go':
        'package main\n\nimport (\n\t"crypto/tls"\n)\n\nvar insecure = tls.Config{InsecureSkipVerify: true}\n',
      'other/crates/core/lib.rs': 'mod parse;\nuse crate::parse::read;\n',
      'other/crates/core/parse.rs': 'pub fn read() {}\n'.repeat(900),
      'other/vendor/github.com/a/b/b.go': 'package b\n// eval("x")\n',
      'other/crates/core/tests/reads.rs': 'fn reads() {}\n',
    });
    const { output } = await runIn<RepositoryMap>(folder, { input: { folder: 'other' } });
    expect(output.areas.map(({ area }) => area).toSorted()).toEqual(['cmd/server', 'crates/core']);
    expect(output.hubs).toEqual([{ path: 'crates/core/parse.rs', imported_by: 1 }]);
    expect(placesOf(output, 'dangerous call')).toEqual(['cmd/server/main.go:7']);
    expect(placesOf(output, 'large file')).toEqual(['crates/core/parse.rs']);
    expect(output.risks.filter(({ kind }) => kind === 'missing')).toEqual([]);
  });
});

describe('real repositories', () => {
  it('maps the sources of this checkout as they are', async () => {
    const folder = copyOf('repository-map');
    symlinkSync(join(root, 'src'), join(folder, 'checkout'));
    const { output } = await runIn<RepositoryMap>(folder, { input: { folder: 'checkout' } });
    const sources = readSources('src').filter(({ path }) => path.startsWith('src/engine/'));
    expect(output.areas.find(({ area }) => area === 'engine')?.files).toBe(sources.length);
    expect(output.areas.find(({ area }) => area === 'base')?.depends_on).toEqual([]);
    expect(output.areas.find(({ area }) => area === 'engine')?.depends_on).toContain('base');
    for (const { where } of output.risks) {
      const [path = '', line] = where.split(':');
      if (line !== undefined)
        expect(readFileSync(join(root, 'src', path), 'utf8').split('\n').length).toBeGreaterThanOrEqual(Number(line));
    }
  });

  it('maps a package that others have written', async () => {
    const folder = copyOf('repository-map');
    symlinkSync(join(root, 'node_modules/commander'), join(folder, 'commander'));
    const { output } = await runIn<RepositoryMap>(folder, { input: { folder: 'commander' } });
    expect(output.hubs[0]?.path).toBe('lib/error.js');
    expect(output.areas.find(({ area }) => area === '.')?.depends_on).toEqual(['lib']);
    expect(placesOf(output, 'large file')).toContain('lib/command.js');
    expect(output.diagram).toContain('a__["."] --> a_lib["lib"]');
  });
});

describe('a folder without sources', () => {
  it('fails with a sentence that says so', async () => {
    const { report } = await runIn<RepositoryMap>(copyOf('repository-map', { 'empty/notes.txt': 'nothing' }), {
      input: { folder: 'empty' },
    });
    expect(report.status).toBe('failed');
    expect(JSON.stringify(report)).toContain('the folder has no source files');
  });
});
