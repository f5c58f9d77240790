// What a task becomes: a question to a person, a call of a capability, or work for an agent.
import type { JsonObject } from '../../base/json.ts';
import { defaultAgent } from '../../template/keys/agent.ts';
import { askingIn, questionOf } from '../split/asking.ts';
import type { Task } from '../split/task.ts';
import type { Around, Earlier, Work } from './around.ts';
import { call } from './call.ts';
import { capabilityFor, namedBy } from './capability-for.ts';
import { isCoarse } from './granularity.ts';
import { toldOf } from './told.ts';
import { misnamed, unresolved, wantedFor } from './unserved.ts';

export function workOf(task: Task, earlier: readonly Earlier[], around: Around): Work {
  if (task.kind === 'clarification') return { step: review(task), questions: [], chosen: { by: 'person' } };
  const { settings } = around;
  const assigned = Object.hasOwn(settings.kinds, task.kind) ? settings.kinds[task.kind] : undefined;
  const isNamed = namedBy(task, around.capabilities) !== undefined;
  if (!isNamed && assigned?.capability !== undefined) return assignedCall(task, assigned.capability, earlier, around);
  const served = around.served?.get(task.description);
  if (served !== undefined) return call(task, served, { by: 'missing', capability: served.name }, earlier, around);
  const slip = misnamed(task, earlier, around);
  if (slip !== undefined) return slip;
  const told = toldOf(earlier, settings);
  if (!isNamed && assigned?.agent !== undefined) return agentWork(assigned.agent, told);
  if (isTooMuch(task, around)) return deeper(task, around);
  return throughList(task, foundWork(task, earlier, around));
}

/** One call in the place of a call for each item would do less than the goal says. */
function throughList({ item, description }: Task, work: Work): Work {
  if (item === undefined || 'why' in work || work.step.capability === undefined) return work;
  const name = String(work.step.capability);
  return { why: `"${description}" goes through a list, and no task before it brings one with what ${name} needs` };
}

function isTooMuch(task: Task, { capabilities, deepens }: Around): boolean {
  if (deepens === undefined || task.names.length > 0) return false;
  return task.coarse === true || isCoarse(task.description, capabilities);
}

/** Whoever plans here plans it too, when it is due; the whole goal again would be no progress. */
function deeper({ description }: Task, { deepens }: Around): Work {
  if (deepens?.goal.trim() === description.trim()) {
    return { why: `"${description}" is more than one call, and its words do not take it further apart` };
  }
  const goal = description.replaceAll('{{', '{ {');
  return { step: { type: 'planning', goal }, questions: [], chosen: { by: 'nested' } };
}

/** A call of whoever does it; else work for an agent, where it may be that; else a person says who does it. */
function foundWork(task: Task, earlier: readonly Earlier[], around: Around): Work {
  const found = capabilityFor(task, around);
  if (found.kind === 'one') {
    const choice = around.choices?.get(task.description);
    const said = found.chosen.by === 'model' && choice?.kind === 'capability' ? choice.input : undefined;
    const given = said === undefined ? task : { ...task, input: { ...task.input, ...said } };
    return call(given, found.capability, found.chosen, earlier, around);
  }
  const isCall = task.kind === 'tool_call' || (found.kind === 'open' && (around.isUnmanned === true || found.isDeed));
  const byAgent = (): Work => agentWork(defaultAgent.name, toldOf(earlier, around.settings));
  if (!isCall) return byAgent();
  if (found.kind === 'none') return unserved(task, found, earlier, around);
  const question = `Which capability does "${task.description}"?`;
  const said = around.answers.get(question);
  if (said === NONE_OF_THESE) {
    if (task.kind !== 'tool_call' && around.isUnmanned !== true) return byAgent();
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

function asked(question: string, choices: readonly string[], { description }: Task): Work {
  return { step: {}, questions: [{ question, answer: { type: 'string', enum: [...choices] } }], open: description };
}

function unserved(
  task: Task,
  { nearest, why }: { readonly nearest: readonly string[]; readonly why?: string },
  earlier: readonly Earlier[],
  around: Around,
): Work {
  const because = why === undefined ? '' : `; ${why}`;
  return {
    why: `${unresolved(task, nearest, around)}${because}`,
    wanted: wantedFor(task, earlier, around),
    open: task.description,
  };
}

/** Consent is asked for as any review; an answer is a text. */
function review({ description }: Task): JsonObject {
  const prompt = questionOf(description).replaceAll('{{', '{ {');
  const wants = askingIn(description)?.wants ?? 'answer';
  return {
    type: 'human_review',
    prompt,
    ...(wants === 'consent' ? {} : { decision: { type: 'string', minLength: 1 } }),
  };
}

function assignedCall(task: Task, name: string, earlier: readonly Earlier[], around: Around): Work {
  const capability = around.capabilities.find((each) => each.name === name);
  if (capability !== undefined) return call(task, capability, { by: 'kind', capability: name }, earlier, around);
  return {
    why: `tasks of kind "${task.kind}" are for ${name}, which is not granted here; grant it under capabilities`,
  };
}

/** An agent is told its task by the step's description. */
function agentWork(agent: string, told: JsonObject): Work {
  const step = { agent, ...(Object.keys(told).length === 0 ? {} : { input: told }) };
  return { step, questions: [], chosen: { by: 'kind', agent } };
}
