// Replies without a readable fragment, with the issues of each.
import type { Json } from '../../src/base/json.ts';

interface Malformed {
  readonly title: string;
  readonly reply: Json;
  /** `CODE path` */
  readonly issues: readonly string[];
}

const step = { name: 'a', capability: 'files.read' };

function nested(depth: number): Json {
  let value: Json = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

export const malformed: readonly Malformed[] = [
  { title: 'prose', reply: 'I would first look at the files.', issues: ['FRAGMENT_UNREADABLE '] },
  { title: 'JSON that was cut off', reply: '{"steps": [{"name": "a", "cap', issues: ['FRAGMENT_UNREADABLE '] },
  {
    title: 'a plan that leaves steps out',
    reply: '{"steps": [{"name": "a",}, ...]}',
    issues: ['FRAGMENT_UNREADABLE '],
  },
  { title: 'an empty text', reply: '', issues: ['FRAGMENT_UNREADABLE '] },
  { title: 'nothing', reply: null, issues: ['FRAGMENT_UNREADABLE '] },
  { title: 'a number', reply: 7, issues: ['FRAGMENT_UNREADABLE '] },
  { title: 'a map without steps', reply: { rationale: 'hm' }, issues: ['FRAGMENT_UNREADABLE '] },
  { title: 'steps that are text', reply: { steps: 'first a, then b' }, issues: ['FRAGMENT_UNREADABLE '] },
  { title: 'steps and tasks', reply: { steps: [step], tasks: [step] }, issues: ['FRAGMENT_UNREADABLE '] },
  {
    title: 'steps and a question',
    reply: { steps: [step], needs_clarification: 'Which year?' },
    issues: ['FRAGMENT_UNREADABLE '],
  },
  { title: 'steps that are impossible', reply: { steps: [step], impossible: 'no' }, issues: ['FRAGMENT_UNREADABLE '] },
  {
    title: 'steps that are impossible, in another map',
    reply: { plan: { steps: [step], impossible: 'no' } },
    issues: ['FRAGMENT_UNREADABLE '],
  },
  {
    title: 'a task in words whose description is none',
    reply: [{ name: 'a', agent: 'default', input: 'Find X', description: ['x'] }],
    issues: ['SHAPE_WRONG_TYPE 0.description'],
  },
  { title: 'a deep nest', reply: { steps: [{ ...step, input: nested(200) }] }, issues: ['FRAGMENT_UNREADABLE '] },
  { title: 'a very deep nest as text', reply: '['.repeat(5_000) + ']'.repeat(5_000), issues: ['FRAGMENT_UNREADABLE '] },
  { title: 'an unknown key', reply: { steps: [], summary: 'x' }, issues: ['SHAPE_UNKNOWN_KEY summary'] },
  {
    title: 'an unknown key of a step',
    reply: [{ ...step, colour: 'red' }],
    issues: ['SHAPE_UNKNOWN_KEY 0.colour'],
  },
  { title: 'a step without a name', reply: [{ capability: 'files.read' }], issues: ['SHAPE_MISSING_KEY 0'] },
  { title: 'a step that calls nothing', reply: [{ name: 'a' }], issues: ['SHAPE_MISSING_KEY 0'] },
  { title: 'a name without a letter', reply: [{ ...step, name: '!?' }], issues: ['SHAPE_WRONG_VALUE 0.name'] },
  {
    title: 'a capability named twice',
    reply: [{ ...step, tool: 'files.write' }],
    issues: ['SHAPE_KEY_REPEATED 0.tool'],
  },
  { title: 'both id and name', reply: [{ ...step, id: 'b' }], issues: ['SHAPE_UNKNOWN_KEY 0.id'] },
  {
    title: 'a dependency that is a map',
    reply: [{ ...step, depends_on: { step: 'b' } }],
    issues: ['SHAPE_WRONG_TYPE 0.depends_on'],
  },
  { title: 'an unknown type', reply: [{ ...step, type: 'tsk' }], issues: ['SHAPE_WRONG_VALUE 0.type'] },
  {
    title: 'a person who is asked nothing',
    reply: [{ name: 'a', type: 'human_review' }],
    issues: ['SHAPE_MISSING_KEY 0'],
  },
  {
    title: 'a fan-out that does not say how wide',
    reply: [{ name: 'a', type: 'fan_out', for_each: [1], do: { capability: 'files.read' } }],
    issues: ['SHAPE_MISSING_KEY 0'],
  },
  {
    title: 'planning for each item',
    reply: [{ name: 'a', type: 'fan_out', for_each: [1], max_width: 1, do: { type: 'planning', goal: 'x' } }],
    issues: ['FAN_OUT_STEP_INVALID 0.do.type'],
  },
  {
    title: 'a predicate that is not Lisp',
    reply: [{ ...step, verification: '(pos? (count data/result)' }],
    issues: ['LISP_PARSE 0.verification'],
  },
  {
    title: 'a predicate with an unknown name',
    reply: [{ ...step, verification: '(pos? (cuont data/result))' }],
    issues: ['LISP_UNBOUND 0.verification'],
  },
  {
    title: 'a reference that is not a path',
    reply: [{ ...step, input: { x: '{{ results.a + 1 }}' } }],
    issues: ['REFERENCE_MALFORMED 0.input.x'],
  },
];
