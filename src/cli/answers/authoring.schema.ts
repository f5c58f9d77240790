// The JSON answers of the commands that drive no run: validate, explain, test, dry-run, capabilities, lisp and others.

import {
  anyOf,
  count,
  flag,
  json,
  jsonObject,
  list,
  map,
  marked,
  number,
  oneOf,
  optional,
  orNull,
  record,
  type Static,
  text,
} from '../../base/builders.schema.ts';
import { failure, issue } from '../../base/issue.schema.ts';
import { limitable } from '../../budget/amount.ts';
import { gateKind } from '../../engine/record/gate-events.schema.ts';
import { amount, effect, form, repeat, shortfallKeys, tree } from '../../view/shown.schema.ts';
import { graph, summaryKeys } from './runs.schema.ts';

const issues = list(issue(), 'The findings.');

export const initialized = map({
  folder: text('The folder.'),
  files: list(text(), 'The files that were written; paths within the folder.'),
});
export type InitAnswer = Static<typeof initialized>;

export const galleryListed = map({
  templates: list(
    map({ name: text(), summary: text('The need, in one sentence.') }),
    'The templates that `--from` copies.',
  ),
});
export type GalleryAnswer = Static<typeof galleryListed>;

export const initForms = [form(initialized), form(galleryListed, 'with `--list`:')];

export const validated = map({
  files: list(map({ file: text(), ok: flag('True also with warnings only.'), issues }), 'The files.'),
});
export type ValidateAnswer = Static<typeof validated>;

const range = map({ least: number(), most: optional(number('Absent: nothing limits it.')) });
const callOfComposition = { name: text(), call: text('The capability.') };

export const explained = map({
  template: map(
    {
      name: text(),
      description: optional(text()),
      environment: optional(text()),
      file: text(),
      digest: text(),
    },
    'The template.',
  ),
  graph: { ...graph, description: 'The graph, as `graph --json` answers it.' },
  bound: list(
    map({
      resource: text('Money is in dollars, time in seconds.'),
      ifNothingFails: range,
      bound: optional(number('The most at worst; absent: nothing limits it.')),
      binds: text('The key that limits it.'),
      note: optional(text()),
    }),
    'The amounts that a run uses if nothing fails, and at worst.',
  ),
  landing: map(
    {
      steps: list(text(), 'The steps that run after all planning.'),
      reserve: number('`landing_reserve`, in percent.'),
      uncovered: list(
        map({
          resource: oneOf([...limitable, 'time']),
          limit: number(),
          kept: number('The amount that is kept for the landing set.'),
          needs: number('The most that the landing set may use.'),
          reserve: optional(number('The percentage that would suffice.')),
        }),
        'The limits that may keep too little for the landing set.',
      ),
    },
    'The landing set.',
  ),
  gates: list(
    map({
      step: text(),
      kind: gateKind,
      when: text('`always`, or the condition.'),
      prompt: optional(text()),
      waits: optional(text('The time limit; absent: none.')),
    }),
    'The places where a run may ask people.',
  ),
  capabilities: list(
    map({ name: text(), description: text(), effects: list(effect) }),
    'The capabilities that steps and planners may call.',
  ),
  roots: list(text(), 'The folders that file capabilities may touch.'),
  notChecked: optional(list(issue(), 'With `--untrusted`: the parts that were not checked.')),
});
export type ExplainAnswer = Static<typeof explained>;

const declarationKeys = {
  name: text(),
  description: text(),
  input: optional(jsonObject('JSON Schema of the input.')),
  output: optional(jsonObject('JSON Schema of the result.')),
  effects: list(effect),
  tags: list(text()),
  needs: optional(list(text(), 'The capabilities that go with it.')),
  repeat: optional(repeat),
  approval: optional(oneOf(['always', 'each', 'never'])),
  asks: optional(marked('It may ask a person.')),
  lisp: optional(text('The expression that computes its result.')),
  runs: optional(map({ template: text(), steps: count(), phases: count() }, 'The template that it runs.')),
  origin: optional(
    map({
      server: text(),
      tool: text(),
      url: optional(text()),
      key: optional(text('The argument that takes an idempotency key.')),
      writes: optional(marked('The server says that the tool does not only read.')),
    }),
  ),
};

export const composition = map({
  composition: map(
    {
      declaration: map({
        ...declarationKeys,
        cost: map({ ms: optional(number()), micro_dollars: optional(number()) }),
      }),
      calls: list(
        map({
          ...callOfComposition,
          effects: list(text()),
          changes: flag('It changes something outside the run.'),
          input: json('The input as it is written.'),
        }),
        'The calls, in order.',
      ),
      result: json('The result as it is written.'),
      played: map(
        {
          input: json(),
          calls: list(
            map({ ...callOfComposition, input: json(), output: json(), from: text('The source of the output.') }),
          ),
          output: optional(json()),
          failure: optional(failure()),
        },
        'A play of it in which nothing happens.',
      ),
    },
    'The composition.',
  ),
});
export type CompositionAnswer = Static<typeof composition>;

export const explainForms = [form(explained), form(composition, 'with `--compose`:')];

export const tested = map({
  ok: flag('Every scenario passed.'),
  files: list(
    map({
      file: text(),
      template: optional(text()),
      issues,
      scenarios: list(
        map({
          name: text(),
          ok: flag(),
          status: optional(text('The end of its run.')),
          differences: list(
            map({ path: text(), expected: json(), found: optional(json('Absent: there is nothing.')) }),
          ),
          issues,
        }),
        'The scenarios of the file.',
      ),
    }),
    'The files of scenarios.',
  ),
});
export type TestAnswer = Static<typeof tested>;

export const dryRun = map({
  status: oneOf(['completed', 'failed', 'cancelled', 'waiting', 'paused', 'interrupted'], 'The end of the run.'),
  output: optional(json('The output; absent with `--untrusted` if the template includes files.')),
  failure: optional(
    map({ ...optionalFailure() }, 'The failure; its code alone with `--untrusted` if the template includes files.'),
  ),
  spent: amount('The amount used; dollars.'),
  values: list(
    map({
      step: text(),
      asked: text('The capability, or `model`, `embeddings` or `planner`.'),
      from: oneOf([
        'its stub',
        'the stub of the capability',
        'its contract',
        'computed',
        'planned by its rule',
        'nothing',
      ]),
    }),
    'The source of each value.',
  ),
  tree: optional(tree('The steps, as in `show --json`; absent where `output` is.')),
  warnings: list(issue(), 'Stubs that nothing asks for, and the parts that `--untrusted` did not check.'),
});
export type DryRunAnswer = Static<typeof dryRun>;

function optionalFailure() {
  return {
    code: text(),
    message: optional(text()),
    retry: optional(oneOf(['may', 'never'])),
    retryAfter: optional(count()),
    fate: optional(oneOf(['refused', 'unknown'])),
    cause: optional(failure()),
    issues: optional(list(issue())),
  };
}

export const planReview = map({
  file: text('The file of the plan.'),
  template: text('The template, or `mission`.'),
  at: text('The planning step.'),
  accepted: flag('The plan would be grafted.'),
  understood: list(text(), "The corrections of the plan's notation."),
  issues,
  rationale: optional(text("The planner's reason.")),
  steps: optional(list(text(), 'The names of its steps.')),
  critic: optional(
    map(
      { score: number('From 1 to 10.'), findings: list(issue()), recommendations: list(text()) },
      "The critic's judgement.",
    ),
  ),
  estimate: optional(amount('The most that the plan may use; dollars.')),
  available: optional(record(number(), 'The amounts that are left for it, time in seconds; absent: not limited.')),
});
export type PlanReviewAnswer = Static<typeof planReview>;

const matchKeys = {
  verdict: oneOf(
    ['certain', 'open', 'none'],
    '`open`: a model or a person chooses; `none`: no word matches a capability that may serve.',
  ),
  certain: orNull(text('The capability that is meant.')),
  by: orNull(oneOf(['name', 'words'])),
  candidates: list(
    map({
      name: text(),
      score: number('From 0 to 1, in proportion to the nearest.'),
      shares: list(text(), 'The words that the goal and the capability share.'),
      alike: optional(number('The similarity by embeddings.')),
      veto: optional(text('The reason why it may not serve.')),
    }),
    'The nearest capabilities, the nearest first.',
  ),
};
const goal = text('The goal.');

export const match = map({ goal, ...matchKeys });
export const matchOfParts = map({ goal, parts: list(map({ part: text(), ...matchKeys }), 'The parts of the goal.') });
export const searched = anyOf([match, matchOfParts]);
export type SearchAnswer = Static<typeof searched>;

export const listed = map({
  capabilities: list(map({ name: text(), description: text(), effects: list(effect), tags: list(text()) })),
});
export type ListAnswer = Static<typeof listed>;

export const described = map({
  capability: map(
    { ...declarationKeys, cost: map({ seconds: optional(number()), usd: optional(number()) }) },
    'The declaration.',
  ),
  example: json('An input that its contract takes.'),
});
export type DescribeAnswer = Static<typeof described>;

export const capabilitiesForms = [
  form(match, 'for `search`, a line for each goal of `--goals`:'),
  form(matchOfParts, 'for `search`, if the goal has several orders:'),
  form(listed, 'for `list`:'),
  form(described, 'for `describe`:'),
];

const tool = map({
  name: text(),
  title: optional(text()),
  description: text(),
  inputSchema: jsonObject(),
  annotations: jsonObject(),
});
export const served = map({ tools: list(tool, 'The tools that would be served.') });
export type ServedToolsAnswer = Static<typeof served>;

const { environment, forked, differed, ...summary } = summaryKeys;
/** The structured content of a tool's reply, for each tool that runs something. */
export const toolReply = map({
  ...summary,
  ...shortfallKeys,
  environment,
  forked,
  differed,
  output: optional(json('The output, once the run has ended.')),
});

export const mcpForms = [form(served), form(toolReply, 'The tools answer this structured content:')];

export const mcpTools = map({
  tools: list(
    map({ tool: text(), name: text(), description: text(), effects: list(effect), repeat: optional(repeat) }),
    'The tools as they are declared now.',
  ),
  proposed: record(
    map({ effects: optional(list(effect)), repeat: optional(repeat), key: optional(text()), why: text() }),
    'The proposed declarations by tool.',
  ),
});
export type McpToolsAnswer = Static<typeof mcpTools>;

export const lock = map({
  file: text('The path of the lock file.'),
  written: flag('The file was written.'),
  differences: jsonObject('The differences by tool or model: each field with `was` and `now`.'),
  added: list(text(), 'The servers and models that the file did not know.'),
  servers: count('The number of servers in the file.'),
  tools: count('The number of their tools.'),
  models: count('The number of models.'),
  issues: optional(list(issue(), 'The reasons why the file was not written, and models that gave no answer.')),
});
export type LockAnswer = Static<typeof lock>;

export const contract = map({
  satisfies: flag('Every value of the producer fits the consumer, uncoerced.'),
  reasons: list(map({ path: text('The place within the value.'), message: text() }), 'The reasons why not.'),
});
export type ContractAnswer = Static<typeof contract>;

const lispError = map({ code: text(), message: text(), line: count(), column: count(), hint: optional(text()) });
const valueLine = map({ value: json('The value.') });
const ednLine = map({ edn: text('The value as EDN text.') });
export const lispForms = [
  form(valueLine, 'a line for each form of the REPL:'),
  form(ednLine, 'with `--edn`:'),
  form(map({ doc: text('The text of `(doc name)`.') }), 'for `(doc name)` in the REPL:'),
  form(
    map({
      id: json('The id of the request.'),
      value: optional(json('The value.')),
      edn: optional(text('The value as EDN text.')),
      error: optional(lispError),
    }),
    'with `--jsonl`, a line for each request:',
  ),
];

export const schemaForms = [form(jsonObject(), 'the JSON Schema itself, with or without the flag.')];

export const completion = map({ shell: text('The shell.'), script: text('The script for the shell.') });
export type CompletionAnswer = Static<typeof completion>;

export const migrate = map({
  store: text('The address of the database, without its password.'),
  migrations: count('The migrations that were applied.'),
  copied: optional(
    map({
      runs: count('The runs that were copied.'),
      events: count('Their events.'),
      known: count('The runs that were there already.'),
    }),
  ),
});
export type MigrateAnswer = Static<typeof migrate>;

export const prune = map({
  runs: list(text(), 'The runs that were removed, newest first; with `--dry`, those that would be.'),
  values: count('The removed values that no other run has.'),
  dry: flag('Nothing was removed.'),
});
export type PruneAnswer = Static<typeof prune>;

export const inspector = map({
  url: text('The address to open, token included.'),
  store: text('The store that is shown.'),
});
export type InspectorAnswer = Static<typeof inspector>;
