// Names that planners give to tools by mistake, and the tools that a hint names for them.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../../src/contract/declaration.ts';
import { likelyHint, likelyNames } from '../../../src/goals/match/likely-names.ts';
import { catalogue, domains, toolsOf } from './catalogue.ts';

const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8').trim();

/** A name, and the tools that it may have meant; none where no tool does what the name says. */
interface Misnamed {
  readonly domain: string;
  readonly wanted: string;
  readonly right: readonly string[];
}

const written: readonly Misnamed[] = textOf('misnamed.txt')
  .split('\n')
  .map((line) => {
    const [, domain = '', wanted = '', right = ''] = /^(\w+): (\S+) -> (\S+)$/.exec(line) ?? [];
    return { domain, wanted, right: right === '-' ? [] : right.split('|') };
  });

const own = new Map<string, string[]>();
for (const line of textOf('misnamed-tools.txt').split('\n')) {
  if (line.includes(': ')) [...own.values()].at(-1)?.push(line);
  else own.set(line, []);
}

const tools = new Map<string, readonly Declaration[]>([
  ...domains.map((domain) => [domain, catalogue(domain).declarations] as const),
  ...[...own].map(([domain, lines]) => [domain, toolsOf(...lines)] as const),
]);

/** The names of the tools that are there, each with its tool taken away: nothing else is then right. */
const missing: readonly Misnamed[] = [...tools].flatMap(([domain, each]) =>
  each.map(({ name }) => ({ domain, wanted: name, right: [] })),
);

function hintsFor(cases: readonly Misnamed[], isTakenAway: boolean) {
  const told = cases.map(({ domain, wanted, right }) => {
    const there = (tools.get(domain) ?? []).filter(({ name }) => !isTakenAway || name !== wanted);
    return { domain, wanted, right, names: likelyNames(wanted, there) };
  });
  const hinted = told.filter(({ names }) => names.length > 0);
  const correct = hinted.filter(({ names, right }) => right.some((each) => names.includes(each)));
  return {
    told,
    hinted: hinted.length,
    correct: correct.length,
    wrong: hinted.filter((each) => !correct.includes(each)),
  };
}

const tuning = written.filter((_, index) => index % 2 === 0);
const heldOut = written.filter((_, index) => index % 2 === 1);

describe('a hint at what a misnamed tool may have meant', () => {
  // The figures of both halves stand in docs/decisions/0039-hints-at-tools.md.
  it.each([
    { half: 'that it was tuned on', cases: tuning },
    { half: 'that were held out', cases: heldOut },
  ])(
    'is wrong for at most one name in ten, and found for most that have a right one, on the names $half',
    ({ cases }) => {
      const { hinted, correct, wrong } = hintsFor(cases, false);
      const findable = cases.filter(({ right }) => right.length > 0).length;
      expect(wrong.length / hinted).toBeLessThanOrEqual(0.1);
      expect(correct / findable).toBeGreaterThanOrEqual(0.6);
    },
  );

  it('is seldom given when the wanted tool does not exist and similar ones do', () => {
    const { hinted, told } = hintsFor(missing, true);
    expect(hinted / told.length).toBeLessThanOrEqual(0.05);
  });

  it('names several equally likely tools, and none when there are too many', () => {
    const pods = toolsOf(
      'db.list_tables: List tables',
      'web.list_tables: List tables of a page',
      'web.open: Open a page',
    );
    expect(likelyNames('list_table', pods).toSorted()).toEqual(['db.list_tables', 'web.list_tables']);
    expect(likelyHint('list_table', pods)).toMatch(/^did you mean "\w+\.list_tables" or "\w+\.list_tables"\?$/);
    const many = toolsOf('a.get_item: x', 'b.get_item: x', 'c.get_item: x', 'd.get_item: x');
    expect(likelyHint('get_items', many)).toBeUndefined();
  });

  it('understands initials, made-up prefixes, single verbs and general nouns', () => {
    const hub = toolsOf(
      'create_issue: x',
      'list_pull_requests: x',
      'get_file_contents: x',
      'geocode_city: x',
      'search_users: x',
    );
    expect(likelyNames('list_prs', hub)).toEqual(['list_pull_requests']);
    expect(likelyNames('github_create_issue', hub)).toEqual(['create_issue']);
    expect(likelyNames('github.createIssue', hub)).toEqual(['create_issue']);
    expect(likelyNames('read_file', hub)).toEqual(['get_file_contents']);
    expect(likelyNames('geocode', hub)).toEqual(['geocode_city']);
    expect(likelyNames('list_users', hub)).toEqual(['search_users']);
  });

  it('is not given for another action or another object', () => {
    const tools = toolsOf('text_to_image: x', 'get_issue: x', 'delete_branch: x', 'cancel_workflow_run: x');
    for (const wanted of ['image_to_text', 'list_issues', 'create_branch', 'run_workflow', 'delete_issue'])
      expect(likelyNames(wanted, tools), wanted).toEqual([]);
    expect(likelyNames('remove_branch', tools)).toEqual(['delete_branch']);
  });

  it('ignores a prefix that all names share', () => {
    const image = toolsOf('hub_tools.image_classification: x', 'hub_tools.image_to_text: x', 'hub_tools.upscale: x');
    expect(likelyHint('hub_tools.image_segmentation', image)).toBeUndefined();
    expect(likelyHint('step_4', toolsOf('step_1: x', 'step_2: x'))).toBeUndefined();
  });

  it('does not depend on the order of the tools', () => {
    const all = tools.get('github') ?? [];
    for (const { wanted } of heldOut.filter(({ domain }) => domain === 'github')) {
      expect(likelyNames(wanted, all.toReversed())).toEqual(likelyNames(wanted, all));
    }
  });
});
