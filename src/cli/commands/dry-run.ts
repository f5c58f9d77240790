// dry-run: runs a template to its end with stubs for all outside effects, and shows the source of each value.
import { existsSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Issue, issue } from '../../base/issue.ts';
import type { AnswerSource } from '../../runtime/dry/stand-in.ts';
import type { LoadedTemplate } from '../../runtime/load/load-file.ts';
import { includesSteps, isAssumed, notChecked, withoutLoading } from '../../runtime/load/untrusted.ts';
import { issuesToJson } from '../../template/diagnostic.ts';
import type { Template } from '../../template/template.ts';
import { historyOf } from '../../view/history.ts';
import { type Line, span } from '../../view/line.ts';
import { runTree, shownTree } from '../../view/run-tree.ts';
import { summaryOf, summaryText } from '../../view/summary.ts';
import { table } from '../../view/table.ts';
import { treeText } from '../../view/tree-text.ts';
import type { DryRunAnswer } from '../answers/authoring.schema.ts';
import type { Call, Command } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { environmentFlag, loadWhole, notCheckedIn, untrustedFlag } from '../load-template.ts';
import { refuse, sayIssues } from '../refuse.ts';
import { budgetFlag, inputFlag, readBudget, readInput } from '../run-input.ts';

export const command: Command = {
  arguments: [{ name: 'TEMPLATE', description: 'The template file.' }],
  flags: [
    inputFlag,
    budgetFlag,
    {
      name: '--stubs <file>',
      description: 'Canned answers by step, capability, plan or gate. Missing answers are generated from contracts.',
    },
    { name: '--stubs-init <file>', description: 'Write a file of stubs for this template, and run nothing.' },
    environmentFlag,
    untrustedFlag,
    jsonFlag,
  ],
  examples: [
    {
      command: 'reconverge dry-run templates/recon-then-execute.yaml --input folder=anywhere',
      does: 'see the path of a run, without reading files or asking models',
    },
    { command: 'reconverge dry-run plan.yaml --stubs-init plan.stubs.yaml', does: 'write a file of stubs as a start' },
  ],

  exits: ['done', 'issues', 'usage'],
  async run(call) {
    const { given } = call;
    const loaded = await loadWhole(given, given.arguments[0] ?? '');
    if (!loaded.ok) return refuse(call, loaded.error);
    const written = given.text('stubsInit');
    if (written !== undefined) return writeStubs(call, loaded.value.template, written);
    return play(call, loaded.value, notCheckedIn(given, loaded.warnings));
  },
};

async function play(call: Call, loaded: LoadedTemplate, unchecked: readonly Issue[]): Promise<ExitCode> {
  const { given, terminal } = call;
  const { template, ...untrusted } = given.has('untrusted') ? withoutLoading(loaded) : { template: loaded.template };
  const { noStubs, readStubs } = await import('../../runtime/dry/read-stubs.ts');
  const { dryRun } = await import('../../runtime/dry/dry-run.ts');
  const file = given.text('stubs');
  const stubs = file === undefined ? undefined : await readStubs(file, template);
  if (stubs?.ok === false) return refuse(call, stubs.error);
  const input = readInput(given.all('input'), template.input);
  const played = await dryRun(
    template,
    stubs?.value ?? noStubs,
    { input, budget: readBudget(given.all('budget')) },
    untrusted,
  );
  if (!played.ok) return refuse(call, played.error);
  const { report, record, sources } = played.value;
  const tree = runTree(record.state, historyOf(record.events), record.state.at);
  const { status, output, failure, spent } = report;
  // Results and failures may quote the contents of an included file.
  const isQuoted = !given.has('untrusted') || !includesSteps(template);
  const isUnknown = status !== 'completed' && hangsOnUnchecked(template, sources);
  const found = [...(stubs?.warnings ?? []), ...unchecked, ...(isUnknown ? [endNotChecked(status)] : [])];
  if (given.has('json')) {
    const warnings = issuesToJson(found);
    terminal.json({
      status,
      ...(isQuoted ? { output } : {}),
      ...(failure && { failure: isQuoted ? failure : { code: failure.code } }),
      spent,
      values: sources,
      ...(isQuoted ? { tree: shownTree(tree) } : {}),
      warnings,
    } satisfies DryRunAnswer);
  } else {
    sayIssues(given, found);
    terminal.print([
      ...(isQuoted ? [...treeText(tree, terminal), []] : []),
      ...table(
        [{ title: 'step' }, { title: 'asked' }, { title: 'its value is from' }],
        sources.map(
          ({ step, asked, from }): Line => [
            span(step),
            span(asked, 'dim'),
            span(from, from === 'nothing' ? 'warn' : 'good'),
          ],
        ),
      ),
      [],
      [span('a dry run: nothing was called that could have an effect', 'dim')],
      ...(isQuoted ? summaryText(summaryOf(record.state)) : [[span(endText(status, failure?.code))]]),
    ]);
  }
  return status === 'completed' || isUnknown ? exitCodes.done : exitCodes.issues;
}

function endText(status: string, code: string | undefined): string {
  return `${status}${code === undefined ? '' : ` (${code})`}; results are not shown, since they may quote an included file`;
}

/** Tells whether a value is missing because its capability was not loaded. */
function hangsOnUnchecked({ capabilities }: Template, sources: readonly AnswerSource[]): boolean {
  return sources.some(({ asked, from }) => {
    const declaration = from === 'nothing' ? capabilities[asked] : undefined;
    return declaration !== undefined && isAssumed(declaration);
  });
}

function endNotChecked(status: string): Issue {
  return notChecked(
    `the dry run ended ${status}, with unknown values of capabilities that were not loaded`,
    'give these values with --stubs; write a file of stubs with --stubs-init',
  );
}

async function writeStubs(call: Call, template: Template, file: string): Promise<ExitCode> {
  if (existsSync(file)) {
    return refuse(call, [issue('FILE_EXISTS', `${file} is there already`, { hint: 'choose another file' })]);
  }
  const { stubsFor } = await import('../../runtime/dry/read-stubs.ts');
  const { stringify } = await import('yaml');
  const about = `# The stubs for dry runs of ${basename(call.given.arguments[0] ?? '')}. Values that are removed here are made up from contracts.\n`;
  writeFileSync(file, about + stringify(stubsFor(template)), { flag: 'wx' });
  call.terminal.print([[span(`wrote ${file}`)]]);
  return exitCodes.done;
}
