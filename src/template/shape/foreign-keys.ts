// Keys that people bring from GitHub Actions, Ansible, Argo, Airflow, LangGraph and Docker Compose, and what to write here.
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../../base/json.ts';

/** The answer to a foreign key. */
export interface ForeignKey {
  /** By default, the message says that the key is not one of the map. */
  readonly message?: string;
  readonly hint: string;
  /** The key of ours that means the same; it is not reported as missing. */
  readonly means?: string;
}

type AnswerTo = (key: string, value: Json | undefined, holder: Json | undefined) => ForeignKey;

export function foreignStepKey(key: string, holder: Json | undefined): ForeignKey | undefined {
  const value = ownProperty(holder, key);
  return (ofSteps.get(plain(key)) ?? calledByKey(key, holder) ?? nameAsKey(key, value, holder))?.(key, value, holder);
}

/** `files.list:` with its parameters below, as Ansible writes a call. */
function calledByKey(key: string, holder: Json | undefined): AnswerTo | undefined {
  if (!/^[a-z]\w*(?:\.\w+)+$/.test(key) || ownProperty(holder, 'handler') !== undefined) return undefined;
  return () => ({ hint: `write handler: ${key}, and its parameters under input:`, means: 'handler' });
}

/** `- read:` with the whole step below its name. */
function nameAsKey(key: string, value: Json | undefined, holder: Json | undefined): AnswerTo | undefined {
  if (!isJsonObject(value) || !isJsonObject(holder) || Object.keys(holder).length > 1) return undefined;
  const message = `the step "${key}" stands below its name, and "name" is a key of the step`;
  return () => ({
    message,
    hint: `write - name: ${stepName(key)}, with the other keys beside it`,
    means: 'name handler',
  });
}

export function foreignDocumentKey(key: string, document: Json): ForeignKey | undefined {
  return ofDocuments.get(plain(key))?.(key, ownProperty(document, key), document);
}

/** `timeout-minutes`, `timeoutMinutes` and `timeout_minutes` are one key. */
function plain(key: string): string {
  return key.replace(/[-_ .]/g, '').toLowerCase();
}

function table(rows: readonly (readonly [keys: string, answer: AnswerTo])[]): ReadonlyMap<string, AnswerTo> {
  return new Map(rows.flatMap(([keys, answer]) => keys.split(' ').map((key) => [plain(key), answer] as const)));
}

/** The value as one would write it in one line; `fallback` for long values. */
function written(value: Json | undefined, fallback: string): string {
  const words = isJsonArray(value) ? value : [value];
  if (words.length === 0 || !words.every((each) => typeof each === 'string' && /^[\w.-]{1,40}$/.test(each)))
    return fallback;
  return words.join(', ');
}

const waits: AnswerTo = (key, value) => {
  const names = written(value, '');
  const wait = names === '' ? '' : ` to wait for ${isJsonArray(value) && value.length > 1 ? 'them' : `step ${names}`}`;
  const message = key === 'needs' ? '"needs" names what a planner reads; this step is a task' : undefined;
  return { ...(message && { message }), hint: `write dependencies: [${names === '' ? 'NAME' : names}]${wait}` };
};

const CAPABILITY_NAME = /^[a-z]\w*(?:\.\w+)+$/;

const calls: AnswerTo = (key, value) => {
  const name = written(value, '');
  const isName = CAPABILITY_NAME.test(name);
  const hint = isName
    ? `write handler: ${name}`
    : `write handler: with the name of a capability in place of "${key}": reconverge capabilities`;
  return { hint, means: 'handler' };
};

const shell: AnswerTo = (key, value, holder) => {
  const isProgram = typeof value !== 'string' || /\.(?:sh|bash|py|rb|pl|[cm]?[jt]s|exe|bat|cmd|ps1)$/.test(value);
  if (!isProgram && CAPABILITY_NAME.test(value)) return calls(key, value, holder);
  return {
    message: `steps do not run shell commands; "${key}" is not a key of a step`,
    hint: 'name a capability with handler:, or write your own in a module',
    means: 'handler',
  };
};

const takes: AnswerTo = (key, value) => ({
  hint: isJsonObject(value) ? `write input: in place of "${key}"` : 'write input: with a map of parameters',
  means: 'input',
});

const named: AnswerTo = (key, value, holder) => {
  const name = typeof value === 'string' ? stepName(value) : 'NAME';
  const other = ownProperty(holder, 'name');
  const isTitle = typeof other === 'string' && stepName(other) !== other;
  if (other !== undefined && !isTitle) return { hint: `remove "${key}": a step is known by its name` };
  const title = isTitle ? `, and description: ${other}` : '';
  return { hint: `write name: ${name}${title}`, means: 'name' };
};

/** A valid name for a step: `List the files` → `list_the_files`. */
export function stepName(text: string): string {
  const name = text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return /^[a-z]/.test(name) ? name : `step_${name}`;
}

const loops: AnswerTo = (_, value) => {
  const list = typeof value === 'string' ? JSON.stringify(value) : '"{{ input.items }}"';
  return {
    hint: `give the step type: fan_out, for_each: ${list.length > 40 ? '…' : list} and do: with the step for one item`,
    means: 'handler',
  };
};

const timeLimit: AnswerTo = (key, value) => {
  const unit = /min/i.test(key) ? 'm' : /hour/i.test(key) ? 'h' : 's';
  return { hint: `write timeout: ${typeof value === 'number' ? value : 30}${unit}` };
};

const say =
  (hint: string, means?: string): AnswerTo =>
  () => ({ hint, ...(means && { means }) });

const ofSteps = table([
  [
    'needs depends dependencies_on dependsOn upstream wait_for waits_for waitFor prerequisites parents previous run_after',
    waits,
  ],
  ['run shell command cmd script bash sh exec entrypoint powershell', shell],
  [
    'uses action module task operator function func callable python_callable plugin component use call capability_name tool_name',
    calls,
  ],
  ['with args params parameters arguments inputs vars kwargs op_kwargs payload variables', takes],
  ['id task_id step_id taskId stepId key', named],
  [
    'loop matrix strategy foreach for with_items withItems withParam with_sequence map expand each parallel items',
    loops,
  ],
  [
    'timeout_minutes timeout_seconds timeout_hours time_limit execution_timeout activeDeadlineSeconds timeout_in_minutes',
    timeLimit,
  ],
  [
    'if condition only_if conditions',
    () => ({ hint: 'write when: with Lisp, such as when: (pos? (:rows (:list data/results)))' }),
  ],
  ['unless', () => ({ hint: 'write when: with Lisp, such as when: (not (:empty (:list data/results)))' })],
  [
    'retries retry_count attempts max_tries max_attempts retry_limit',
    (_, value) => ({ hint: `write max_retries: ${typeof value === 'number' ? value : 3}` }),
  ],
  [
    'retry_delay retryDelay backoff retry_exponential_backoff',
    say('write retry: with its delays; docs/reference/template lists them'),
  ],
  [
    'continue_on_error ignore_errors ignore_failure allow_failure continueOn failed_when trigger_rule',
    say('write critical: false, so that a failure does not fail the steps that depend on this one'),
  ],
  [
    'register output_key save_as result store_as set_fact outputs outputKey do_xcom_push',
    (key, _, holder) => {
      const name = ownProperty(holder, 'name');
      const read = `{{ results.${typeof name === 'string' ? stepName(name) : 'NAME'} }}`;
      return { hint: `remove "${key}": every result is kept, and later steps read it as ${read}` };
    },
  ],
  ['env environment secrets envFrom env_vars', say('give the capability what it needs under input:')],
  [
    'until while do_while repeat times',
    say('a graph has no loops; let a planning step decide what comes next, or use fan_out for a list'),
  ],
  [
    'runs_on container image services permissions working_directory cwd volumes ports resources queue pool build networks hosts become',
    say('remove it: a step calls a capability, and chooses no machine and no container'),
  ],
  [
    'edges next goto then on_success children successors followed_by downstream',
    say('name the order from the other side: write dependencies: in the step that comes later'),
  ],
  [
    'else routes router conditional_edges switch cases path_map',
    say('use a step with type: decision, branches: [NAME, …] and choose: with Lisp'),
  ],
  ['catch rescue on_error onError except fallback always', say('write on_failure: stop, skip, retry or replan')],
  [
    'steps tasks block jobs nodes',
    say('write every step in the list at the top, and connect them with dependencies:', 'handler'),
  ],
  ['title display_name displayName summary doc comment notes doc_md', say('write description:')],
  [
    'model llm llm_config system system_prompt temperature instructions messages llm_model',
    say(
      'let a model do the step with agent: NAME, and describe the model under agents: and models: at the top',
      'handler',
    ),
  ],
]);

const inputs = say('declare it under input:, such as input: "{folder :string}", and read it as {{ input.folder }}');

const ofDocuments = table([
  [
    'jobs tasks nodes stages pipeline workflow graph dag stage states activities',
    say('write the work as a list under steps:, each item with a name and a handler', 'steps'),
  ],
  [
    'on triggers trigger schedule schedule_interval cron start_date crons',
    say('remove it: a template starts no runs; start one with: reconverge run FILE'),
  ],
  ['env environment vars variables secrets params parameters inputs args arguments', inputs],
  ['outputs', say('write output:, such as output: "{{ results.NAME }}"')],
  ['model llm', say('write models:, such as models: { default: { model: gpt-5-mini } }')],
  [
    'tools plugins uses imports import modules functions handlers requires',
    say('grant capabilities under capabilities:, such as capabilities: [catalog, ./handlers.ts]'),
  ],
  ['extends from includes', say('write include: with a list of files')],
  ['edges', say('remove it: each step names under dependencies: the steps that it waits for')],
  ['defaults permissions default_args', say('remove it: set limits under budget: and settings in each step')],
  ['title', say('write name: for the name, and description: for a sentence')],
]);

/** Files of other tools that are easily taken for a template. */
const files: readonly (readonly [what: string, isSuch: (document: Json) => boolean])[] = [
  ['a workflow of GitHub Actions', (it) => has(it, 'jobs') && (has(it, 'on') || has(it, 'true'))],
  ['a Kubernetes or Argo manifest', (it) => has(it, 'apiVersion') && has(it, 'kind')],
  ['a file of Docker Compose', (it) => isJsonObject(ownProperty(it, 'services'))],
  ['an OpenAPI description', (it) => has(it, 'openapi') || has(it, 'swagger')],
  ['a workflow of n8n', (it) => isJsonArray(ownProperty(it, 'nodes')) && isJsonObject(ownProperty(it, 'connections'))],
  ['a package.json', (it) => has(it, 'dependencies') && has(it, 'version') && has(it, 'name')],
  ['a pipeline of GitLab CI', (it) => isJsonArray(ownProperty(it, 'stages'))],
  [
    'a playbook of Ansible',
    (it) =>
      isJsonArray(it) &&
      it.some((play) => has(play, 'hosts') || has(play, 'tasks') || has(play, 'ansible.builtin.import_playbook')),
  ],
];

function has(value: Json, key: string): boolean {
  return ownProperty(value, key) !== undefined;
}

/** `a workflow of GitHub Actions`; undefined for a document that may be meant as a template. */
export function foreignFile(document: Json): string | undefined {
  if (has(document, 'reconverge') || has(document, 'steps')) return undefined;
  return files.find(([, isSuch]) => isSuch(document))?.[0];
}

/** Types of steps in other tools, with ours. */
const types: readonly (readonly [words: RegExp, hint: string])[] = [
  [
    /^(agent|llm|model|prompt|ai|chat|completion|assistant)$/,
    'to let a model do a task, leave type out and write agent: NAME',
  ],
  [/^(loop|map|for_?each|parallel|batch|matrix|fan-?out|each|scatter)$/, 'write type: fan_out, with for_each: and do:'],
  [/^(condition(al)?|switch|if|branch|router?|choice|when)$/, 'write type: decision, with branches: and choose:'],
  [
    /^(human|approval|approve|manual|wait|review|input|pause|user|confirm)$/,
    'write type: human_review, with prompt: and expires_in:',
  ],
  [/^(join|merge|gather|converge|combine|wait_?all)$/, 'write type: deferred, or type: synthesis_gate'],
  [/^(reduce|aggregate|synthesi[sz]e|synthesis)$/, 'write type: synthesis_gate'],
  [/^(plan|planner|dynamic)$/, 'write type: planning, with planner:'],
  [/^(lisp|transform|expression|eval|code|script|set)$/, 'write type: compute, with expr:'],
  [
    /^(tool|call|action|job|step|function|http|capability|operator|node|run)$/,
    'leave type out, and write handler: with the name of a capability',
  ],
];

export function foreignTypeHint(type: string): string | undefined {
  return types.find(([words]) => words.test(type.toLowerCase()))?.[1];
}
