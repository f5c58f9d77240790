// What a task becomes: a question to a person, a call of a capability, or work for an agent.
import type { JsonObject } from '../../base/json.ts';
import { defaultAgent } from '../../template/agent-spec.ts';
import { partsOf } from '../resolve/words.ts';
import type { Around, Earlier, Work } from './around.ts';
import { askingIn, questionOf } from './asking.ts';
import { call } from './call.ts';
import { capabilityFor, type Found, namedBy } from './capability-for.ts';
import { isCoarse } from './granularity.ts';
import { headOf } from './order.ts';
import type { Task } from './task.ts';
import { toldOf } from './told.ts';
import { misnamed, unresolved, wantedFor } from './unserved.ts';

export function workOf(task: Task, earlier: readonly Earlier[], around: Around): Work {
  if (task.kind === 'clarification') return { step: review(task), questions: [], chosen: { by: 'person' } };
  const { settings, capabilities } = around;
  const assigned = Object.hasOwn(settings.kinds, task.kind) ? settings.kinds[task.kind] : undefined;
  const named = namedBy(task, capabilities);
  if (named !== undefined) return call(task, named, { by: 'named', capability: named.name }, earlier, around);
  if (assigned?.capability !== undefined) return assignedCall(task, assigned.capability, earlier, around);
  const isServed = around.served?.has(task.description) === true;
  const slip = isServed ? undefined : misnamed(task, earlier, around);
  if (slip !== undefined) return slip;
  const told = toldOf(earlier, settings);
  if (assigned?.agent !== undefined) return agentWork(assigned.agent, told);
  if (isTooMuch(task, around)) return deeper(task, around);
  if (isServed || task.kind === 'tool_call') return resolvedCall(task, earlier, around);
  return plainCall(task, earlier, around) ?? agentWork(defaultAgent.name, told);
}

function isTooMuch(task: Task, { capabilities, deepens }: Around): boolean {
  if (deepens === undefined) return false;
  return task.coarse === true || (task.kind === 'tool_call' && isCoarse(task.description, capabilities));
}

/** Whoever plans here plans it too, when it is due; the whole goal again would be no progress. */
function deeper({ description }: Task, { deepens }: Around): Work {
  if (deepens?.goal.trim() === description.trim()) {
    return { why: `"${description}" is more than one call, and its words do not take it further apart` };
  }
  const goal = description.replaceAll('{{', '{ {');
  return { step: { type: 'planning', goal }, questions: [], chosen: { by: 'nested' } };
}

/** Whatever serves its words; a person says which where several do. */
function resolvedCall(task: Task, earlier: readonly Earlier[], around: Around): Work {
  const served = around.served?.get(task.description);
  if (served !== undefined) return call(task, served, { by: 'missing', capability: served.name }, earlier, around);
  const found = capabilityFor(task, around);
  if (found.kind === 'none')
    return {
      why: unresolved(task, found.nearest, around),
      wanted: wantedFor(task, earlier, around),
      open: found.open,
    };
  if (found.kind === 'one') return call(task, found.capability, found.chosen, earlier, around);
  const question = `Which of them is meant by "${task.description}"?`;
  const said = around.answers.get(question);
  const meant = around.capabilities.find(({ name }) => name === said);
  if (meant !== undefined) return call(task, meant, { ...found.chosen, capability: meant.name }, earlier, around);
  return { step: {}, questions: [{ question, answer: { type: 'string', enum: found.names } }], open: found.open };
}

/**
 * What looks like work is a call where a capability is named for just that, and all that it needs is said or brought:
 * looking into a file, or into each of those that were listed, since an agent has no files; or what serves the words of the
 * task all but fully and deletes nothing.
 */
function plainCall(task: Task, earlier: readonly Earlier[], around: Around): Work | undefined {
  const [path, another] = task.parameters.paths ?? [];
  const one = path !== undefined && another === undefined;
  const looks = (one || EACH.test(task.description)) && LOOKS.test(task.description.replace(path ?? '', ''));
  const verb = headOf(task.description).toLowerCase();
  const found = namedLike(verb, capabilityFor(task, around), around);
  if (found === undefined) return undefined;
  const { effects, name } = found.capability;
  const onlyReads = effects.every((effect) => effect === 'read');
  const score = found.chosen.candidates?.find((each) => each.name === name)?.score ?? 0;
  if (!(looks && onlyReads) && (score < FULLY || effects.includes('delete'))) return undefined;
  if (!(looks && onlyReads && verb === 'read') && !partsOf(name).includes(verb)) return undefined;
  const work = call(task, found.capability, found.chosen, earlier, around);
  if ('why' in work || work.questions.length > 0) return undefined;
  return one || score >= FULLY || work.step.type === 'fan_out' ? work : undefined;
}

/** Of several that serve, the only one that has the verb in its name. */
function namedLike(
  verb: string,
  found: Found,
  { capabilities }: Around,
): (Found & { readonly kind: 'one' }) | undefined {
  if (found.kind !== 'several') return found.kind === 'one' ? found : undefined;
  const [only, another] = found.names.filter((name) => partsOf(name).includes(verb));
  const capability = another === undefined ? capabilities.find(({ name }) => name === only) : undefined;
  if (capability === undefined) return undefined;
  return { kind: 'one', capability, chosen: { ...found.chosen, by: 'ranked', capability: capability.name } };
}

const FULLY = 0.85;

const EACH = /(?<!\p{L})(?:each|every|all)(?!\p{L})/iu;

/** `Count the words in …`, `profile …` */
const LOOKS = /^\p{L}+(?: (?:the|all|every))*(?: \p{L}+){0,2}?(?: (?:in|of|from|inside))?(?: (?:the|file))*\W*$/iu;

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
