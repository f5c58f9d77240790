// Has a model choose capabilities for open tasks, in one request that lists the signatures of the tools.
import type { Failure } from '../../base/failure.ts';
import { isJsonArray, isJsonObject, type Json } from '../../base/json.ts';
import { good, type Result } from '../../base/result.ts';
import type { Work } from '../../engine/record/call.ts';
import type { CapabilityLine } from '../../goals/capability-lines.ts';
import { nearestToAny } from '../../goals/match/nearest-capabilities.ts';
import { type ToolIndex, toolIndex } from '../../goals/match/tool-search.ts';
import type { TaskChoice } from '../../goals/plan/task-context.ts';
import { readValue } from '../../model/read-value.ts';
import type { Message } from '../../model/request.ts';
import type { Brief } from '../../planning/brief.ts';
import type { NamedModel } from '../../template/model-use.ts';
import { askPlanningModel, type PromptForm } from '../prompt-form.ts';
import { serversOf } from './catalogue.ts';
import { type ChoicesReading, type OpenTask, readChoices } from './choice-answer.ts';
import { choiceForm, choiceText, searchingForm, serversText, toolsText } from './choice-prompt.ts';

/** The most tools in one prompt. */
const SHOWN = 100;
/** The most results of a model's own search. */
const FOUND = 20;

export interface ModelChoices {
  readonly choices: ReadonlyMap<string, TaskChoice>;
  readonly notes: readonly string[];
}

/**
 * Asks at most `CHOICE_ASKS` times: once for the choice, once for corrections, and above 100 tools once to open servers and
 * once to search. When the model is unreachable, the tasks stay open and a note says so. The order of the declarations does
 * not change the request.
 */
export function* chooseCapabilities(
  tasks: readonly OpenTask[],
  model: NamedModel,
  { goal = '', capabilities }: Pick<Brief, 'goal' | 'capabilities'>,
): Work<Result<ModelChoices, Failure>> {
  const lines = capabilities.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const catalogue = shownToolsFor(lines, tasks);
  const messages: Message[] = [{ role: 'user', content: choiceText(goal, tasks, catalogue.first) }];
  for (let isMended = false; ; ) {
    const asked = yield* askPlanningModel(model, catalogue.form, messages);
    // A cassette without this request must fail, because its replay would differ.
    if (!asked.ok) return asked.error.code === 'CASSETTE_MISS' ? asked : withoutChoice(asked.error.message);
    const { text, finish } = asked.value;
    if (finish === 'refusal' || finish === 'filter') return withoutChoice('the model refuses');
    const value = finish === 'length' ? undefined : readValue(text, { fits: isChoice })?.value;
    const more = catalogue.look(value);
    if (more !== undefined) {
      messages.push({ role: 'assistant', content: text }, { role: 'user', content: more });
      continue;
    }
    const read = readChoices(value, tasks, goal, lines);
    if (read.wrong.length === 0 || isMended) return good(settled(read));
    isMended = true;
    const says = `${read.wrong.join('.\n')}.\nAnswer again, with one JSON object that has a choice for every task.`;
    messages.push({ role: 'assistant', content: text }, { role: 'user', content: says });
  }
}

function isChoice(value: Json): boolean {
  return isJsonObject(value) && ['choices', 'servers', 'search'].some((key) => Object.hasOwn(value, key));
}

function withoutChoice(why: string): Result<ModelChoices, never> {
  return good({ choices: new Map(), notes: [`no model chose a capability: ${why}`] });
}

function settled({ choices, notes, wrong }: ChoicesReading): ModelChoices {
  return {
    choices,
    notes: wrong.length === 0 ? notes : [...notes, `the model's choice stayed invalid: ${wrong.join('; ')}`],
  };
}

interface ShownTools {
  readonly form: PromptForm;
  /** The first block that the model sees. */
  readonly first: string;
  /** The block that the model asks for; undefined when it does not ask, or asks twice. */
  look(value: Json | undefined): string | undefined;
}

function shownToolsFor(lines: readonly CapabilityLine[], tasks: readonly OpenTask[]): ShownTools {
  if (lines.length <= SHOWN) {
    return { form: choiceForm, first: toolsText('Tools', lines), look: () => undefined };
  }
  const index = toolIndex(lines);
  const servers = serversOf(lines);
  const nearest = nearestToAny(
    tasks.map(({ description }) => description),
    lines,
  );
  const done = { servers: false, search: false };
  return {
    form: searchingForm,
    first: serversText(servers, nearest),
    look(value) {
      if (!isJsonObject(value) || (isJsonArray(value.choices) && value.choices.length > 0)) return undefined;
      const { servers: wanted, search } = value;
      if (isJsonArray(wanted) && wanted.length > 0 && !done.servers) {
        done.servers = true;
        const opened = servers.filter((server) => wanted.includes(server.name)).flatMap((server) => server.lines);
        return toolsText('Tools of these servers', nearestFirst(opened, nearest));
      }
      if (typeof search !== 'string' || search.trim() === '' || done.search) return undefined;
      done.search = true;
      return toolsText('Tools nearest to your words', found(search, index, lines));
    },
  };
}

/** The tools of opened servers, sorted by name; above `SHOWN`, the ones nearest to the tasks. */
function nearestFirst(lines: readonly CapabilityLine[], nearest: readonly string[]): readonly CapabilityLine[] {
  if (lines.length <= SHOWN) return lines;
  const near = nearest.flatMap((name) => lines.find((line) => line.name === name) ?? []);
  const kept = new Set([...near, ...lines].slice(0, SHOWN));
  return lines.filter((line) => kept.has(line));
}

function found(search: string, index: ToolIndex, lines: readonly CapabilityLine[]): readonly CapabilityLine[] {
  return index
    .search(search)
    .slice(0, FOUND)
    .flatMap(({ tool }) => lines.find(({ name }) => name === tool.declaration.name) ?? []);
}
