// The messages of a planning prompt after the system message: what one step is to plan, and the corrections of its fragments.
import { counted } from '../../base/counted.ts';
import type { Issue } from '../../base/issue.ts';
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { durationText, moneyText, roughly } from '../../base/quantity.ts';
import { durationOfSeconds, microDollarsOf } from '../../budget/display-figures.ts';
import { unitText } from '../../budget/limit-text.ts';
import { plainText, signatureLine } from '../../contract/signature-line.ts';
import { blockOf, dataText } from '../../engine/agent/prompt.ts';
import type { CapabilityLine } from '../../goals/capability-lines.ts';
import { clockLine, withoutClock } from '../../model/clock-line.ts';
import type { Message } from '../../model/request.ts';
import type { Brief, Clarification, EarlierAttempts, Rejection } from '../../planning/brief.ts';
import { issueText } from '../../planning/issue-text.ts';
import { MOST_SHOWN, nearestLines } from './catalogue.ts';

/** The goal, the packet, and the bounds with the rest of the budget. */
export function contextText(brief: Brief): string {
  const { goal, constraints, clarifications = [], repair } = brief;
  return joined([
    `# Goal\n${goal ?? 'Bring the run closer to its convergence target.'}`,
    section('Constraints', constraints.map((each) => `- ${each}`).join('\n')),
    packetText(brief),
    section('Answers of people', answersText(clarifications)),
    repair === undefined
      ? ''
      : section('What failed: plan it anew, in another way', dataText('repair', asJson(repair))),
    section('Bounds', boundsText(brief)),
  ]);
}

/** `listed` holds the names that the system message shows. */
export function requestText(brief: Brief, listed: ReadonlySet<string>): string {
  return joined([contextText(brief), section('You may use', allowedText(brief, listed)), seenText(brief.capabilities)]);
}

/**
 * The conversation of a planning step: its first request, and each rejected fragment with its issues. `answered` holds the
 * questions that the messages after these repeat.
 */
export function conversationOf(
  brief: Brief,
  listed: ReadonlySet<string>,
  answered: ReadonlySet<string>,
): readonly Message[] {
  const { first, rejections } = earlierOf(brief);
  const { clarifications: _, ...rest } = brief;
  const shown = { ...rest, ...first, ...defined({ clarifications: without(first.clarifications, answered) }) };
  const request: Message = { role: 'user', content: requestText(shown, listed) };
  const corrections = rejections.flatMap((rejection, index): readonly Message[] => [
    { role: 'assistant', content: textOf(rejection.fragment) },
    {
      role: 'user',
      content: correctionText(
        rejection,
        index === rejections.length - 1 ? newsText(brief, shown, answered) : '',
        brief,
      ),
    },
  ]);
  return [request, ...corrections];
}

function earlierOf(brief: Brief): EarlierAttempts {
  const { earlier, feedback, rejected = null } = brief;
  if (earlier !== undefined) return earlier;
  const rejections = feedback === undefined ? [] : [{ fragment: rejected, issues: feedback }];
  return { first: brief, rejections };
}

function without(
  clarifications: readonly Clarification[] = [],
  answered: ReadonlySet<string>,
): readonly Clarification[] | undefined {
  const left = clarifications.filter(({ question }) => !answered.has(question));
  return left.length === 0 ? undefined : left;
}

/** A fragment that could not be read is the planner's own text. */
function textOf(fragment: Json): string {
  return typeof fragment === 'string' ? fragment : JSON.stringify(fragment);
}

function correctionText({ fragment, issues }: Rejection, news: string, brief: Brief): string {
  return joined([
    `Your fragment was rejected:\n${issues.map((each) => issueLine(each, fragment)).join('\n')}`,
    news,
    namesText(brief),
    'Answer with the whole fragment, mended.',
  ]);
}

/** The rejected fragment in one message, for a prompt whose answers are no fragments. */
export function rejectionText({ feedback = [], rejected }: Brief): string {
  if (feedback.length === 0) return '';
  return joined([
    rejected === undefined ? '' : section('The last plan', dataText('fragment', rejected)),
    section('It was rejected; mend exactly this', feedback.map((each) => issueLine(each, rejected ?? null)).join('\n')),
  ]);
}

function issueLine(issue: Issue, fragment: Json): string {
  return `- ${issueText(issue, fragment)}${issue.hint === undefined ? '' : ` (${issue.hint})`}`;
}

/** The changes since the first request. */
function newsText(now: Brief, before: Brief, answered: ReadonlySet<string>): string {
  const known = new Set([...answered, ...(before.clarifications ?? []).map(({ question }) => question)]);
  const packet = packetText(now);
  const bounds = boundsText(before).split('\n');
  const changed = boundsText(now)
    .split('\n')
    .filter((line) => !bounds.includes(line));
  // The time alone is no news, and cassettes ignore its line.
  const isNews = withoutClock(changed.join('\n')) !== '';
  return joined([
    packet === packetText(before) ? '' : packet,
    section('Answers of people', answersText(without(now.clarifications, known) ?? [])),
    isNews ? section('Bounds now', changed.join('\n')) : '',
  ]);
}

/** Parts of a packet that the prompt shows elsewhere. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['problem', 'feedback', 'clarifications', 'budget', 'target']);

function packetText({ input, packet }: Pick<Brief, 'input' | 'packet'>): string {
  const parts = isJsonObject(packet) ? Object.entries(packet).filter(([key]) => !SHOWN_ELSEWHERE.has(key)) : [];
  const body: JsonObject = Object.fromEntries(
    [['input', input] as const, ...parts].filter(([, each]) => !isEmpty(each)),
  );
  return isEmpty(body) ? '' : section('What is known', dataText('packet', body));
}

function isEmpty(value: Json): boolean {
  if (value === null) return true;
  if (isJsonArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function answersText(clarifications: readonly Clarification[]): string {
  return clarifications.map(({ question, answer }) => `- ${question}: ${JSON.stringify(answer)}`).join('\n');
}

function boundsText({ bounds, budget: { time, steps, ...budget }, packet, target, ends, converge }: Brief): string {
  const most = Math.min(bounds.max_fragment_steps, steps ?? bounds.max_fragment_steps);
  const left = Object.entries(budget).map(([resource, amount]) => amountText(resource, amount));
  const nesting = bounds.max_planning_depth > 0 ? `${bounds.max_planning_depth} deep` : 'none';
  return [
    `At most ${counted(most, 'step')}, ${bounds.max_fragment_depth} in a row, ${bounds.max_fan_out} at once or as max_width; planning steps: ${nesting}.`,
    `The plan ends at ${targetText(target, packet)}${ends === undefined ? '' : `, with at least ${counted(ends, 'last step')}`}.`,
    ...(left.length === 0 ? [] : [`Left of the budget: ${left.join(', ')}.`]),
    ...(time === undefined ? [] : [clockLine(durationText(roughly(durationOfSeconds(time))))]),
    ...(converge ? ['Little is left: finish now, with the smallest plan that is of use.'] : []),
  ].join('\n');
}

function targetText(target: string, packet: Json): string {
  const told = isJsonObject(packet) && isJsonObject(packet.target) ? packet.target.description : undefined;
  return typeof told === 'string' ? `${target} (${told.trim().replace(/\.$/, '')})` : target;
}

/** Rounded down to two digits, so that prompts do not depend on fractions of a cent. */
function amountText(resource: string, amount: number): string {
  if (resource === 'cost_usd') return moneyText(roughly(microDollarsOf(amount)));
  return unitText(roughly(amount), resource);
}

/** Names what the step may use of the system message, and shows the signatures of what the system message does not show. */
function allowedText({ goal = '', capabilities }: Brief, listed: ReadonlySet<string>): string {
  if (listed.size === 0 && capabilities.length > MOST_SHOWN) {
    const shown = nearestLines(capabilities, goal);
    return `${counted(capabilities.length, 'capability', 'capabilities')}; nearest to the goal:\n${linesText(shown)}`;
  }
  const others = capabilities.filter(({ name }) => !listed.has(name));
  const names = capabilities.filter(({ name }) => listed.has(name)).map(({ name }) => name);
  const missing = [...listed].filter((name) => !names.includes(name));
  return joined([namesAmong(names, missing), others.length === 0 ? '' : linesText(others)], '\n');
}

function linesText(lines: readonly CapabilityLine[]): string {
  return blockOf('capabilities', lines.map(signatureLine));
}

/** Says nothing when the step may use everything that the system message shows. */
function namesAmong(names: readonly string[], missing: readonly string[]): string {
  if (names.length === 0) return missing.length === 0 ? '' : 'none of the capabilities above; the agents';
  if (missing.length === 0) return '';
  return missing.length < names.length
    ? `all capabilities above except ${plainNames(missing)}; all agents`
    : `${plainNames(names)}; all agents`;
}

/** The most names in a correction; the first request shows more. */
function namesText({ capabilities, agents = [] }: Brief): string {
  const names = capabilities.map(({ name }) => name);
  if (names.length > MOST_SHOWN) return '';
  const doers = ['default', ...agents.map(({ name }) => name)];
  return `You may use ${names.length === 0 ? 'no capabilities' : plainNames(names)}; agents: ${plainNames(doers)}.`;
}

const LONGEST_NAME = 160;

function plainNames(names: readonly string[]): string {
  return names.map((name) => plainText(name, LONGEST_NAME)).join(', ');
}

/** The results of capabilities in earlier runs. */
function seenText(capabilities: readonly CapabilityLine[]): string {
  const lines = capabilities.flatMap(({ name, seen }) => {
    if (seen === undefined) return [];
    const cost = seen.cost_usd === undefined ? '' : `, $${seen.cost_usd}`;
    return [`- ${name}: ${seen.succeeded} of ${counted(seen.calls, 'call')} succeeded, ${seen.seconds} s${cost} each`];
  });
  return section('Earlier runs', lines.join('\n'));
}

function section(title: string, text: string): string {
  return text === '' ? '' : `# ${title}\n${text}`;
}

function joined(parts: readonly string[], by = '\n\n'): string {
  return parts.filter((part) => part !== '').join(by);
}

/** The value is plain JSON, although its type does not say so. */
function asJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
