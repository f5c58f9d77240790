// A template that asks a model in every way (plan, judge, summary, agents with and without tools), with replies that suit every server.
import type { Script, ScriptReply } from '../../src/llm/script.ts';
import type { ModelServer } from '../../src/testing/model-server.ts';

/** Tokens of each reply. */
export const USED = { input: 1_000, output: 100, reasoning: 40 };
/** Dollars of each reply, at one dollar per million input tokens and two per million output tokens. */
export const COST_OF_REPLY = (USED.input + 2 * USED.output) / 1_000_000;

/** @param keys further keys of the profile, in YAML */
export function wholeRun({ url, model }: Pick<ModelServer, 'url' | 'model'>, keys = ''): string {
  return `reconverge: 1
name: whole-run
models:
  default:
    model: ${model}
    base_url: ${url}
    prices: { input: $1, output: $2 }
    max_retries: 1
${keys.replace(/^(?=.)/gm, '    ')}
agents:
  clerk:
    prompt: You look after files.
    tools: [files.list, csv.sniff]
    output: "{count :int}"
    max_turns: 2
capabilities: [catalog]
roots: [.]
budget: { max_total_llm_calls: 60 }
steps:
  - name: greet
    agent: default
    description: Say hello to GRETA.
    judge: JUDGED by whether it greets.
    max_clarifications: 0
  - name: count
    agent: clerk
    dependencies: [greet]
    description: COUNT the files.
    input: { folder: . }
  - name: pages
    type: compute
    dependencies: [count]
    expr: '(map (fn [n] {:page n :text "There was a long sentence on this page, and it said very little about it."}) (range 0 200))'
  - name: plan
    type: planning
    dependencies: [pages]
    planner: { kind: llm }
    goal: LOOK into the folder once more.
    context: { strategy: summary, max_tokens: 400 }
    allow: [files.list]
    convergence_target: end
  - name: end
    type: deferred
    dependencies: [plan]
`;
}

export const wholeFiles = { 'table.csv': 'name,age\nAnn,3\n' };

const reply = (spoken: object): ScriptReply => ({ usage: USED, reasoning: 'Let me SEE.', ...spoken }) as ScriptReply;
const lookups = [
  { name: 'files_list', arguments: { folder: '.' } },
  { name: 'csv_sniff', arguments: { path: 'table.csv' } },
];
const look = { name: 'look', capability: 'files.list', input: { folder: '.' } };
const asData = 'Tools that you may call';

/** Answers one whole run, or many. */
export const wholeScript: Script = [
  { when: { contains: 'JUDGED' }, reply: reply({ json: { passes: true, diagnosis: '' } }) },
  { when: { contains: 'GRETA' }, reply: reply({ text: 'Hello, Greta.' }) },
  { when: { contains: 'COUNT', tool: 'files_list', turn: 1 }, reply: reply({ toolCalls: lookups }) },
  {
    when: { contains: 'COUNT', system: asData, turn: 1 },
    reply: reply({ text: JSON.stringify(lookups.map((call) => ({ call }))) }),
  },
  { when: { contains: 'COUNT', system: asData }, reply: reply({ json: { answer: { count: 1 } } }) },
  { when: { contains: 'COUNT' }, reply: reply({ json: { count: 1 } }) },
  { when: { system: 'You sum up' }, reply: reply({ text: 'pages: 200 pages without news.' }) },
  { when: { contains: 'LOOK' }, reply: reply({ json: { rationale: 'to be sure', steps: [look] } }) },
].map((rule) => ({ ...rule, times: 'always' as const }));
