// test: replays the recorded scenarios of templates, and reports differences from the recordings.

import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../../base/counted.ts';
import { hasErrors, type Issue, issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import { durationText } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { durationOfSeconds } from '../../budget/display-figures.ts';
import { issuesToJson } from '../../template/diagnostic.ts';
import type { PlayedScenario } from '../../testing/scenarios/play-scenario.ts';
import { isScenarioFile, readScenarios, scenarioFilesOf } from '../../testing/scenarios/read-scenarios.ts';
import { type Line, span } from '../../view/line.ts';
import type { TestAnswer } from '../answers/authoring.schema.ts';
import type { Call, Command, ParsedArguments } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { hintAsCalled, refuse, sayIssues } from '../refuse.ts';

export const command: Command = {
  arguments: [
    {
      name: '[PLACE...]',
      description: 'Templates, files of scenarios, or folders with them; by default this folder.',
    },
  ],
  flags: [{ name: '--only <text>', description: 'Play only scenarios whose name contains this text.' }, jsonFlag],
  examples: [
    { command: 'reconverge test templates', does: 'play all scenarios of a folder' },
    { command: 'reconverge test templates/research-and-compare.yaml', does: 'play the scenarios of one template' },
  ],

  async run(call) {
    const { given, terminal } = call;
    const files = filesNamed(given.arguments.length === 0 ? ['.'] : given.arguments);
    if (!files.ok) return refuse(call, files.error);
    const tested: FileOutcome[] = [];
    for (const file of files.value) tested.push(await testFile(call, file));
    const count = tested.reduce((sum, { played }) => sum + played.length, 0);
    const only = given.text('only');
    // A mistyped scenario name would otherwise pass forever.
    if (count === 0 && only !== undefined && tested.every(isGood)) return refuse(call, [noneCalled(only)]);
    const ok = tested.every(isGood);
    if (given.has('json')) terminal.json({ ok, files: tested.map((each) => asJson(given, each)) } satisfies TestAnswer);
    else terminal.print([[span(ok ? 'ok' : 'failed', ok ? 'good' : 'bad'), span(`: ${counted(count, 'scenario')}`)]]);
    return ok ? exitCodes.done : exitCodes.issues;
  },
};

interface FileOutcome {
  readonly file: string;
  readonly template?: string;
  readonly issues: readonly Issue[];
  readonly played: readonly PlayedScenario[];
}

function isGood({ issues, played }: FileOutcome): boolean {
  return !hasErrors(issues) && played.every(({ ok }) => ok);
}

/** Reports each scenario as soon as it has been replayed. */
async function testFile({ given, terminal }: Call, file: string): Promise<FileOutcome> {
  const { playScenario } = await import('../../testing/scenarios/play-scenario.ts');
  const isTold = !given.has('json');
  const read = await readScenarios(file, '.');
  const issues = read.ok ? read.warnings : read.error;
  if (isTold) terminal.print([[span(file, 'strong')]]);
  if (isTold) sayIssues(given, issues);
  if (!read.ok) return { file, issues, played: [] };
  const { template, scenarios } = read.value;
  const played: PlayedScenario[] = [];
  for (const scenario of scenarios.filter(({ name }) => name.includes(given.text('only') ?? ''))) {
    const result = await playScenario(read.value, scenario);
    played.push(result);
    if (isTold) terminal.print(linesOf(result));
    if (isTold) sayIssues(given, result.issues);
  }
  return { file, template, issues, played };
}

function asJson(given: ParsedArguments, { played, issues, ...named }: FileOutcome): TestAnswer['files'][number] {
  const told = (all: readonly Issue[]) => issuesToJson(all.map((each) => hintAsCalled(given, each)));
  const scenarios = played.map(({ report, ...each }) => ({
    ...each,
    ...defined({ status: report === undefined ? undefined : report.status }),
    issues: told(each.issues),
  }));
  return { ...named, issues: told(issues), scenarios };
}

/** Issues: SCENARIOS_MISSING. */
function filesNamed(places: readonly string[]): Result<readonly string[]> {
  const issues: Issue[] = [];
  const files = places.flatMap((place) => {
    const found = filesAt(place);
    if (found.length === 0) issues.push(missing(place));
    return found;
  });
  return issues.length > 0 ? bad(issues) : good([...new Set(files)]);
}

function filesAt(place: string): readonly string[] {
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) {
    const hidden = ({ name }: { readonly name: string }): boolean => name === 'node_modules' || name.startsWith('.');
    return globSync('**/*.scenarios.{yaml,yml,json}', { cwd: place, exclude: hidden, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
  }
  const named = isScenarioFile(place) ? [place] : scenarioFilesOf(place);
  return named.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

function missing(place: string): Issue {
  return issue('SCENARIOS_MISSING', `there are no scenarios at ${place}`, {
    hint: 'write them beside their template: plan.scenarios.yaml beside plan.yaml',
  });
}

function noneCalled(only: string): Issue {
  return issue('SCENARIOS_MISSING', `no scenario has "${only}" in its name`, {
    hint: 'leave --only out to see their names',
  });
}

function linesOf({ name, ok, report, differences }: PlayedScenario): readonly Line[] {
  const time = report === undefined ? '' : `  ${report.status} in ${durationText(durationOfSeconds(report.elapsed))}`;
  return [
    [span(ok ? '  ✓ ' : '  ✗ ', ok ? 'good' : 'bad'), span(name), span(time, 'dim')],
    ...differences.map(({ path, expected, found }): Line => {
      const was = found === undefined ? 'nothing' : short(JSON.stringify(found));
      return [span(`      ${path}: `), span(`expected ${short(JSON.stringify(expected))}, found ${was}`, 'bad')];
    }),
  ];
}

const LONGEST = 200;

function short(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
