// Turns a task into a question to a person, a call of a capability, or work for an agent.
import { defined, type JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { defaultAgent } from '../../template/keys/agent.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import { orderOf } from '../match/read-order.ts';
import { toolIndex } from '../match/tool-search.ts';
import { groupOf } from '../match/verbs.ts';
import { orderIn } from '../split/is-order.ts';
import { personQuestionIn, questionOf } from '../split/person-question.ts';
import type { Task } from '../split/task.ts';
import { whyBeyondAgent } from './agent-reach.ts';
import { capabilityFor, namedBy } from './capability-for.ts';
import { type MissingCapability, missingCapabilityOf } from './missing-capability.ts';
import { call } from './plan-call.ts';
import { stepNames } from './step-name.ts';
import { type EarlierTask, inputFromEarlier, type TaskContext, type TaskWork } from './task-context.ts';
import { toolNeedOf } from './tool-need.ts';

export function workOf(task: Task, earlier: readonly EarlierTask[], around: TaskContext): TaskWork {
  if (task.kind === 'clarification') return { step: review(task), questions: [], chosen: { by: 'person' } };
  const { settings } = around;
  const assigned = Object.hasOwn(settings.kinds, task.kind) ? settings.kinds[task.kind] : undefined;
  const isNamed = namedBy(task, around.capabilities) !== undefined;
  if (!isNamed && assigned?.capability !== undefined) return assignedCall(task, assigned.capability, earlier, around);
  const served = around.served?.get(task.description);
  if (served !== undefined) return call(task, served, { by: 'missing', capability: served.name }, earlier, around);
  const slip = misnamed(task, earlier, around);
  if (slip !== undefined) return slip;
  const told = inputFromEarlier(earlier, settings);
  if (!isNamed && assigned?.agent !== undefined) {
    const beyond = whyBeyond(assigned.agent, task, earlier, around);
    if (beyond === undefined) return agentWork(assigned.agent, told);
    const found = capabilityFor(task, around);
    return unserved(task, { nearest: found.kind === 'none' ? found.nearest : [], why: beyond }, earlier, around);
  }
  if (isTooMuch(task, around)) return deeper(task, around);
  return throughList(task, foundWork(task, earlier, around));
}

/** Refuses a single call for a task that needs a call for each item. */
function throughList({ item, description }: Task, work: TaskWork): TaskWork {
  if (item === undefined || 'why' in work || work.step.capability === undefined) return work;
  const name = String(work.step.capability);
  return { why: `"${description}" goes through a list, and no task before it brings one with what ${name} needs` };
}

function isTooMuch(task: Task, { capabilities, deepens }: TaskContext): boolean {
  if (deepens === undefined || task.names.length > 0) return false;
  return task.coarse === true || isCoarse(task.description, capabilities);
}

/** A planning step for a task of several calls; refused for the whole goal, which would repeat without end. */
function deeper({ description }: Task, { deepens }: TaskContext): TaskWork {
  if (deepens?.goal.trim() === description.trim()) {
    return { why: `"${description}" needs more than one call, and its words do not split it further` };
  }
  const goal = description.replaceAll('{{', '{ {');
  return { step: { type: 'planning', goal }, questions: [], chosen: { by: 'nested' } };
}

/** A call of the found capability, else work for an agent when allowed, else a question to a person. */
function foundWork(task: Task, earlier: readonly EarlierTask[], around: TaskContext): TaskWork {
  const found = capabilityFor(task, around);
  if (found.kind === 'one') {
    const choice = around.choices?.get(task.description);
    const said = found.chosen.by === 'model' && choice?.kind === 'capability' ? choice.input : undefined;
    const given = said === undefined ? task : { ...task, input: { ...task.input, ...said } };
    return call(given, found.capability, found.chosen, earlier, around);
  }
  const beyond = whyBeyond(defaultAgent.name, task, earlier, around);
  const isForPerson = around.isUnmanned === true || beyond !== undefined;
  const isCall = task.kind === 'tool_call' || (found.kind === 'open' && (isForPerson || found.isDeed));
  const byAgent = (): TaskWork => agentWork(defaultAgent.name, inputFromEarlier(earlier, around.settings));
  if (!isCall && beyond === undefined) return byAgent();
  if (found.kind === 'none') return unserved(task, { ...defined({ why: beyond }), ...found }, earlier, around);
  const question = `Which capability does "${task.description}"?`;
  const said = around.answers.get(question);
  if (said === NONE_OF_THESE) {
    if (task.kind !== 'tool_call' && !isForPerson) return byAgent();
    return unserved(task, { nearest: found.names, why: 'a person says that none of these does it' }, earlier, around);
  }
  const other = `Which other capability does "${task.description}"?`;
  const name = said === BY_NAME ? around.answers.get(other) : said;
  const meant = around.capabilities.find((each) => each.name === name);
  if (meant !== undefined) return call(task, meant, { ...found.chosen, capability: meant.name }, earlier, around);
  const open = around.capabilities.map((each) => each.name).filter((each) => !found.names.includes(each));
  if (said === BY_NAME) return asked(other, open, task);
  return asked(question, [...found.names, NONE_OF_THESE, ...(open.length === 0 ? [] : [BY_NAME])], task);
}

const NONE_OF_THESE = 'none of these';
export const BY_NAME = 'another, by name';

function asked(question: string, choices: readonly string[], { description }: Task): TaskWork {
  return { step: {}, questions: [{ question, answer: { type: 'string', enum: [...choices] } }], open: description };
}

function unserved(
  task: Task,
  { nearest, why }: { readonly nearest: readonly string[]; readonly why?: string },
  earlier: readonly EarlierTask[],
  around: TaskContext,
): TaskWork {
  return {
    why: unresolved(task, nearest, around, why),
    wanted: missingCapabilityFor(task, earlier, around),
    open: task.description,
  };
}

/** A review step for a consent, or for an answer as text. */
function review({ description }: Task): JsonObject {
  const prompt = questionOf(description).replaceAll('{{', '{ {');
  const wants = personQuestionIn(description)?.wants ?? 'answer';
  return {
    type: 'human_review',
    prompt,
    ...(wants === 'consent' ? {} : { decision: { type: 'string', minLength: 1 } }),
  };
}

function assignedCall(task: Task, name: string, earlier: readonly EarlierTask[], around: TaskContext): TaskWork {
  const capability = around.capabilities.find((each) => each.name === name);
  if (capability !== undefined) return call(task, capability, { by: 'kind', capability: name }, earlier, around);
  return {
    why: `tasks of kind "${task.kind}" are for ${name}, which is not granted here; grant it under capabilities`,
  };
}

/** The reason why an agent cannot do the task with the tools that it has. */
function whyBeyond(
  agent: string,
  { description, attachments }: Task,
  earlier: readonly EarlierTask[],
  { agents, capabilities }: TaskContext,
): string | undefined {
  const [last] = earlier.filter(({ task }) => task.kind !== 'clarification').slice(-1);
  const need = toolNeedOf(description, {
    hasResults: earlier.some(({ task }) => personQuestionIn(task.description)?.wants !== 'consent'),
    hasText: last !== undefined && last.input === undefined,
    hasFile: attachments.some(({ kind }) => kind !== 'link'),
  });
  return whyBeyondAgent(agent, agents?.get(agent) ?? [], need, capabilities);
}

/** An agent reads its task from the step's description. */
function agentWork(agent: string, told: JsonObject): TaskWork {
  const step = { agent, ...(Object.keys(told).length === 0 ? {} : { input: told }) };
  return { step, questions: [], chosen: { by: 'kind', agent } };
}

function isCoarse(text: string, capabilities: readonly CapabilityLine[]): boolean {
  const { isMoreThanOne, terms } = orderOf(text);
  if (!isMoreThanOne) return false;
  const verbs = new Set(toolIndex(capabilities).tools.map(({ verb }) => verb?.stem));
  const orders = terms.filter(({ stem }) => verbs.has(stem)).map(({ stem }) => groupOf(stem) ?? stem);
  return new Set(orders).size > 1;
}

/** The missing capability of a task, with the input for a capability without a contract. */
function missingCapabilityFor(
  task: Task,
  earlier: readonly EarlierTask[],
  around: TaskContext,
  called?: string,
): MissingCapability {
  const [name = 'task'] = stepNames([task.description]);
  const input = {
    task: task.description,
    ...(task.parameters.named ?? {}),
    ...inputFromEarlier(earlier, around.settings),
  };
  return missingCapabilityOf(called ?? `own.${name}`, task.description, input, around.capabilities);
}

/** Tells of a misspelled capability, such as `Use csv.profil …`: a word with a dot names a capability. */
function misnamed(
  task: Task,
  earlier: readonly EarlierTask[],
  around: TaskContext,
): { readonly why: string; readonly wanted: MissingCapability } | undefined {
  const { description, names, parameters } = task;
  const [, word = ''] = NAMING.exec(orderIn(description)) ?? [];
  const others = [...(parameters.paths ?? []), ...(parameters.links ?? [])];
  if (names.length > 0 || word === '' || others.includes(word)) return undefined;
  const near = didYouMean(
    word,
    around.capabilities.map(({ name }) => name),
  );
  if (near === undefined) return undefined;
  return {
    why: `there is no capability "${word}" (${near})`,
    wanted: missingCapabilityFor(task, earlier, around, word),
  };
}

const NAMING = /^(?:use|using|call|run|invoke|execute) (?:the )?([a-z][\w-]*(?:\.[a-z][\w-]*)+)(?![\w./\\-])/i;

function unresolved(
  { description }: Task,
  nearest: readonly string[],
  { capabilities }: TaskContext,
  why: string | undefined,
): string {
  const near =
    capabilities.length === 0
      ? 'no capability is granted'
      : nearest.length === 0
        ? `granted capabilities: ${capabilities
            .slice(0, 5)
            .map(({ name }) => name)
            .join(', ')}${capabilities.length > 5 ? ', …' : ''}`
        : `nearest: ${nearest.join(', ')}`;
  return `no capability serves "${description}" (${near})${why === undefined ? '' : `; ${why}`}; name one in the goal, grant one that does it, or say who makes calls: kinds: { tool_call: { agent: … } }`;
}
