// explain: shows the most that a template can do, before it runs.
import { defined } from '../../base/json.ts';
import { good } from '../../base/result.ts';
import { shownRow } from '../../budget/display-figures.ts';
import { boundOf } from '../../engine/bound/bound.ts';
import { landingCover } from '../../engine/bound/landing-cover.ts';
import { issuesToJson } from '../../template/diagnostic.ts';
import type { Template } from '../../template/template.ts';
import { shownBound } from '../../view/budget/bound-table.ts';
import { explanation } from '../../view/explanation.ts';
import { graphOfTemplate } from '../../view/graph/export.ts';
import { withLevels } from '../../view/graph/levels.ts';
import { templateGates } from '../../view/template-gates.ts';
import type { CompositionAnswer, ExplainAnswer } from '../answers/authoring.schema.ts';
import type { Call, Command } from '../command.ts';
import { compositionText } from '../composition-text.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { environmentFlag, liveFlag, loadTemplate, loadWhole, notCheckedIn, untrustedFlag } from '../load-template.ts';
import { refuse, sayIssues } from '../refuse.ts';
import { readInput } from '../run-input.ts';
import { UsageError } from '../usage-error.ts';

export const command: Command = {
  arguments: [{ name: 'TEMPLATE', description: 'The template file.' }],
  flags: [
    {
      name: '--compose <name>',
      description: 'Explain one composition: its calls, and a trial of them without any effect.',
    },
    {
      name: '--input <value>',
      description:
        'With --compose: the input, as key=value, @file.json, or a JSON object; by default made up from its contract.',
      repeats: true,
    },
    {
      name: '--stubs <file>',
      description:
        'With --compose: canned answers of calls, by step or capability. Missing answers are computed, or generated from contracts.',
    },
    environmentFlag,
    liveFlag,
    untrustedFlag,
    jsonFlag,
  ],
  examples: [
    {
      command: 'reconverge explain templates/recon-then-execute.yaml',
      does: 'show its graph, its bound and its capabilities',
    },
    {
      command: 'reconverge explain plan.yaml --compose sales.total --input path=sales.csv',
      does: 'show the calls of a composition, and its result',
    },
  ],

  async run(call) {
    if (call.given.has('compose')) {
      if (call.given.has('untrusted')) throw new UsageError('--compose plays a composition: leave out --untrusted');
      return explainOne(call);
    }
    if (call.given.has('input') || call.given.has('stubs')) throw new UsageError('--input and --stubs need --compose');
    const loaded = await loadTemplate(call.given, call.given.arguments[0] ?? '');
    if (!loaded.ok) return refuse(call, loaded.error);
    const template = loaded.value;
    const notChecked = notCheckedIn(call.given, loaded.warnings);
    if (call.given.has('json'))
      call.terminal.json({
        ...explained(template),
        ...(notChecked.length === 0 ? {} : { notChecked: issuesToJson(notChecked) }),
      });
    else {
      sayIssues(call.given, loaded.warnings);
      call.terminal.print(explanation(template));
    }
    return exitCodes.done;
  },
};

async function explainOne(call: Call): Promise<ExitCode> {
  const { given, terminal } = call;
  const name = given.text('compose') ?? '';
  const loaded = await loadWhole(given, given.arguments[0] ?? '');
  if (!loaded.ok) return refuse(call, loaded.error);
  const { readStubs, noStubs } = await import('../../runtime/dry/read-stubs.ts');
  const { explainComposition } = await import('../../runtime/dry/explain-composition.ts');
  const { template } = loaded.value;
  const file = given.text('stubs');
  const stubs = file === undefined ? good(noStubs) : await readStubs(file, template);
  if (!stubs.ok) return refuse(call, stubs.error);
  const words = given.all('input');
  const input = words.length === 0 ? undefined : readInput(words, template.capabilities[name]?.input);
  const found = await explainComposition(loaded.value, name, stubs.value, input);
  if (!found.ok) return refuse(call, found.error);
  if (given.has('json')) terminal.json({ composition: found.value } satisfies CompositionAnswer);
  else terminal.print(compositionText(found.value));
  return found.value.played.failure === undefined ? exitCodes.done : exitCodes.issues;
}

function explained(template: Template): ExplainAnswer {
  const { name, description, environment, file, digest, capabilities, roots } = template;
  const landing = landingCover(template);
  return {
    template: { name, ...defined({ description, environment }), file, digest },
    graph: withLevels(graphOfTemplate(template)),
    bound: shownBound(boundOf(template)).map(({ bound, ...row }) => ({ ...row, ...defined({ bound }) })),
    landing: { ...landing, uncovered: landing.uncovered.map((each) => shownRow(each, ['limit', 'kept', 'needs'])) },
    gates: templateGates(template),
    capabilities: Object.values(capabilities).map((each) => ({
      name: each.name,
      description: each.description,
      effects: each.effects,
    })),
    roots,
  };
}
