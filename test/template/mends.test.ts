// Mends: the edit of an issue solves that issue and brings no other, in every template with an error and in misspelled good ones.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Issue, pathText } from '../../src/base/issue.ts';
import { catalog } from '../../src/capabilities/catalog/catalog.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import { adviceOn } from '../../src/template/advice.ts';
import { loadTemplate } from '../../src/template/load.ts';
import type { OutlineNode } from '../../src/template/parse/outline.ts';
import { parseYaml } from '../../src/template/parse/parse-yaml.ts';
import { readOutline } from '../../src/template/parse/read-outline.ts';
import { placeIssue } from '../../src/template/place-in-file.ts';
import { applyMend } from './apply-mend.ts';
import { declarations } from './declarations.ts';

type Declarations = Readonly<Record<string, Declaration>>;

const granted: Declarations = Object.fromEntries(catalog.map(({ declaration }) => [declaration.name, declaration]));

function issuesOf(text: string, declared: Declarations): readonly Issue[] {
  const parsed = parseYaml(text, 'a.yaml');
  const loaded = loadTemplate(parsed, declared);
  if (!loaded.ok || parsed.tree === undefined) return loaded.ok ? loaded.warnings : loaded.error;
  const { tree } = parsed;
  const advice = adviceOn(loaded.value, tree.value, { declared: true });
  return [...loaded.warnings, ...advice.map((each) => placeIssue(each, tree))];
}

/** Places move when a line is added, so issues are compared by what they say. */
const shown = ({ code, message, path }: Issue): string => `${code} ${pathText(path)}: ${message}`;

const count = (all: readonly string[], one: string): number => all.filter((each) => each === one).length;

interface Trial {
  readonly issue: Issue;
  readonly mended: string;
  /** The issue is still there. */
  readonly stays: boolean;
  readonly brought: readonly string[];
}

function trialsOf(text: string, declared: Declarations, before = issuesOf(text, declared)): readonly Trial[] {
  const had = before.map(shown);
  return before.flatMap((issue) => {
    if (issue.mend === undefined) return [];
    const mended = applyMend(text, issue.mend);
    const after = issuesOf(mended, declared).map(shown);
    const stays = count(after, shown(issue)) >= count(had, shown(issue));
    return [{ issue, mended, stays, brought: after.filter((each) => !had.includes(each)) }];
  });
}

const told = ({ issue, brought }: Trial): string => `${shown(issue)} → ${issue.mend?.title} → ${brought.join('; ')}`;

const step = '  - name: a\n    handler: files.list\n    input: { folder: "." }\n';

/** Each mistake, with the lines before and after its first mend. */
const slips: readonly (readonly [string, string, string])[] = [
  [
    'writes "dependencies" for "needs" of other tools',
    `steps:\n${step}  - name: b\n    handler: files.list\n    needs: [a]\n    input: { folder: "." }\n`,
    `steps:\n${step}  - name: b\n    handler: files.list\n    dependencies: [a]\n    input: { folder: "." }\n`,
  ],
  [
    'names the only step that waits for a plan as its target',
    `steps:\n  - name: plan\n    type: planning\n    goal: g\n    planner: { kind: lisp, source: !lisp '{:steps []}' }\n  - name: end\n    type: deferred\n    dependencies: [plan]\n    convergence: { policy: all_settled }\n`,
    `steps:\n  - name: plan\n    convergence_target: end\n    type: planning\n    goal: g\n    planner: { kind: lisp, source: !lisp '{:steps []}' }\n  - name: end\n    type: deferred\n    dependencies: [plan]\n    convergence: { policy: all_settled }\n`,
  ],
  [
    'writes a policy as a map',
    `steps:\n${step}  - name: end\n    type: deferred\n    dependencies: [a]\n    convergence: all_success\n`,
    `steps:\n${step}  - name: end\n    type: deferred\n    dependencies: [a]\n    convergence: { policy: all_success }\n`,
  ],
  [
    'gives the only unknown parameter the name of the only missing one',
    `steps:\n${step.replace('folder', 'directory')}`,
    `steps:\n${step}`,
  ],
  ['writes "input" for "with"', `steps:\n${step.replace('input', 'with')}`, `steps:\n${step}`],
  ['writes "name" for "id"', `steps:\n${step.replace('name', 'id')}`, `steps:\n${step}`],
  ['writes "max_retries" for "retries"', `steps:\n${step}    retries: 2\n`, `steps:\n${step}    max_retries: 2\n`],
  [
    'adds the type that an "expr" needs',
    'steps:\n  - name: a\n    expr: (inc 1)\n',
    'steps:\n  - name: a\n    type: compute\n    expr: (inc 1)\n',
  ],
  [
    'adds the type in braces',
    'steps:\n  - { name: a, expr: (inc 1) }\n',
    'steps:\n  - { name: a, expr: (inc 1), type: compute }\n',
  ],
  [
    'adds a name to a step',
    `steps:\n${step.replace('name: a\n    ', '')}`,
    `steps:\n${step.replace('name: a', 'name: step_1')}`,
  ],
  [
    'adds the share that a quorum needs',
    `steps:\n${step}  - name: b\n    type: deferred\n    dependencies: [a]\n    convergence:\n      policy: quorum\n    handler: files.list\n    input: { folder: "." }\n`,
    `steps:\n${step}  - name: b\n    type: deferred\n    dependencies: [a]\n    convergence:\n      policy: quorum\n      min: 60%\n    handler: files.list\n    input: { folder: "." }\n`,
  ],
  [
    'takes the quotes off a number',
    `budget: { max_total_steps: "60" }\nsteps:\n${step}`,
    `budget: { max_total_steps: 60 }\nsteps:\n${step}`,
  ],
  ['writes true for yes', `steps:\n${step}    critical: yes\n`, `steps:\n${step}    critical: true\n`],
  [
    'removes the dependency of a step on itself',
    `steps:\n${step}  - name: b\n    handler: files.list\n    dependencies:\n      - a\n      - b\n    input: { folder: "." }\n`,
    `steps:\n${step}  - name: b\n    handler: files.list\n    dependencies:\n      - a\n    input: { folder: "." }\n`,
  ],
  [
    'lets a branch wait for its decision',
    'steps:\n  - name: pick\n    type: decision\n    branches: [one]\n    choose: (if true "one" nil)\n  - name: one\n    type: compute\n    expr: (inc 1)\n',
    'steps:\n  - name: pick\n    type: decision\n    branches: [one]\n    choose: (if true "one" nil)\n  - name: one\n    dependencies: [pick]\n    type: compute\n    expr: (inc 1)\n',
  ],
  [
    'finds the misspelled part of a reference',
    `steps:\n${step}  - name: b\n    handler: files.list\n    input: { folder: "{{ results.a.flies }}" }\n`,
    `steps:\n${step}  - name: b\n    handler: files.list\n    input: { folder: "{{ results.a.files }}" }\n`,
  ],
  [
    'finds the misspelled step in a need',
    `steps:\n${step}  - name: b\n    type: planning\n    dependencies: [a]\n    goal: look\n    needs: [a, lsit.files]\n    planner: { kind: lisp, source: '{:steps []}' }\n`
      .replaceAll('name: a', 'name: list')
      .replaceAll('[a', '[list'),
    `steps:\n${step}  - name: b\n    type: planning\n    dependencies: [a]\n    goal: look\n    needs: [a, list.files]\n    planner: { kind: lisp, source: '{:steps []}' }\n`
      .replaceAll('name: a', 'name: list')
      .replaceAll('[a', '[list'),
  ],
  [
    'finds the misspelled function in Lisp',
    'steps:\n  - name: a\n    type: compute\n    expr: |\n      (def x 1)\n      (icn x)\n',
    'steps:\n  - name: a\n    type: compute\n    expr: |\n      (def x 1)\n      (inc x)\n',
  ],
  [
    'marks Lisp with its tag',
    `steps:\n${step.replace('"."', '(str "a" "b")')}`,
    `steps:\n${step.replace('{ folder: "." }', '{ folder: !lisp (str "a" "b") }')}`,
  ],
  ['writes the current key for an older one', `steps:\n${step.replace('handler', 'tool')}`, `steps:\n${step}`],
  [
    'writes the current type for an older one',
    `steps:\n${step}    type: standard\n`,
    `steps:\n${step}    type: task\n`,
  ],
  [
    'keeps the quotes of a name',
    `steps:\n${step.replace('files.list', '"files.lits"')}`,
    `steps:\n${step.replace('files.list', '"files.list"')}`,
  ],
];

const folder = join(import.meta.dirname, 'cases');
const cases = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

describe('the mend of an issue', () => {
  it.each(cases)('solves its issue in %s', (name) => {
    const trials = trialsOf(readFileSync(join(folder, name), 'utf8'), declarations);
    expect(trials.filter(({ stays }) => stays).map(told)).toEqual([]);
  });

  it.each(['recon-then-execute', 'review-then-publish', 'replan-what-failed', 'triage-refunds'])(
    'solves slips of the keyboard in %s, and brings no other issue',
    (name) => {
      const good = readFileSync(join(import.meta.dirname, '../../templates', `${name}.yaml`), 'utf8');
      const usual = issuesOf(good, granted);
      expect(usual.filter(({ severity }) => severity === 'error')).toEqual([]);
      const wrong: string[] = [];
      let [noticed, mended] = [0, 0];
      // Every sixth: a template has a hundred words, and loading it twice for each takes long.
      for (const text of slipsIn(good).filter((_, nth) => nth % 6 === name.length % 6)) {
        const before = issuesOf(text, granted);
        const trials = trialsOf(text, granted, before);
        if (before.length > usual.length) noticed += 1;
        if (trials.length > 0) mended += 1;
        wrong.push(...trials.filter(({ stays, brought }) => stays || brought.length > 0).map(told));
      }
      expect(wrong).toEqual([]);
      // Few slips have no certain mend: those in words of the author's own, or in words that resemble several others.
      expect(mended / noticed).toBeGreaterThan(0.7);
    },
  );

  it.each(slips)('%s', (_, wrong, right) => {
    const text = (lines: string): string => `reconverge: 1\nname: case\ncapabilities: [catalog]\n${lines}`;
    const [issue] = issuesOf(text(wrong), granted).filter(({ mend }) => mend !== undefined);
    expect(issue?.mend && applyMend(text(wrong), issue.mend)).toBe(text(right));
  });

  it('adds the version line below the comments at the top', () => {
    const text = '# what it does\nname: a\nsteps: []\n';
    const [issue] = issuesOf(text, granted);
    expect(issue?.mend && applyMend(text, issue.mend)).toBe('# what it does\nreconverge: 1\nname: a\nsteps: []\n');
  });

  it('leaves lines that end as on Windows as they are', () => {
    const text = 'reconverge: 1\r\nname: case\r\nsteps:\r\n  - name: a\r\n    hander: files.list\r\n';
    const [issue] = issuesOf(text, declarations).filter(({ mend }) => mend !== undefined);
    expect(issue?.mend && applyMend(text, issue.mend)).toBe(text.replace('hander', 'handler'));
  });
});

/** The text with one slip in each key and each short word: two letters swapped, one missing, one doubled. */
function slipsIn(text: string): readonly string[] {
  const words: { readonly from: number; readonly to: number }[] = [];
  const visit = (node: OutlineNode): void => {
    if (node.kind === 'map') {
      for (const { keySpan, value } of node.entries) {
        words.push(keySpan);
        visit(value);
      }
    } else if (node.kind === 'list') node.items.forEach(visit);
    else if (node.kind === 'scalar' && node.style === 'plain' && /^[a-z_.]{4,}$/.test(node.text)) words.push(node);
  };
  visit(readOutline(text).root);
  for (const match of text.matchAll(/(?<=\{\{ ?(?:results|depends)\.)\w+|(?<=\{\{ ?)\w+/g)) {
    words.push({ from: match.index, to: match.index + match[0].length });
  }
  return words.flatMap(({ from, to }, nth) => {
    const word = text.slice(from, to);
    const at = 1 + (nth % Math.max(1, word.length - 2));
    const slip = [
      word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + word.charAt(at) + word.slice(at),
    ][nth % 3];
    return word.length < 4 || slip === undefined || slip === word ? [] : [text.slice(0, from) + slip + text.slice(to)];
  });
}
