// The frame of a planning step in a small run, with helpers to change it in tests.
import { expect } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import type { Result } from '../../src/base/result.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import type { Fragment, UnreadFragment } from '../../src/planning/fragment.ts';
import type { Frame } from '../../src/planning/frame.ts';
import { readFragment } from '../../src/planning/read-fragment.ts';
import type { Verdict } from '../../src/planning/review.ts';
import { review } from '../../src/planning/review.ts';

export function declaration(name: string, more: Partial<Declaration> = {}): Declaration {
  return { name, description: `does ${name}`, effects: ['read'], tags: [], cost: {}, ...more };
}

const sniff = declaration('csv.sniff', {
  input: {
    type: 'object',
    required: ['path'],
    properties: { path: { type: 'string' }, rows: { type: 'integer' } },
    additionalProperties: false,
  },
  output: {
    type: 'object',
    required: ['columns'],
    properties: { columns: { type: 'array', items: { type: 'string' } }, rows: { type: 'integer' } },
    additionalProperties: false,
  },
  cost: { micro_dollars: 100 },
});

const declarations = {
  'csv.sniff': sniff,
  'files.read': declaration('files.read'),
  'files.write': declaration('files.write', { effects: ['write'] }),
  'report.write': declaration('report.write', { effects: ['write'], repeat: 'safe' }),
};

const listing = {
  type: 'object',
  required: ['files'],
  properties: { files: { type: 'array', items: { type: 'string' } } },
  additionalProperties: false,
};

/** The critic is off, because it has tests of its own. */
export const frame: Frame = {
  planner: 'plan_recon',
  prefix: 'plan_recon.1',
  target: 'finalize',
  depthLeft: 2,
  outside: new Map([['ingest', { id: 'ingest', schema: listing, optional: false }]]),
  input: { type: 'object', properties: { folder: { type: 'string' } }, additionalProperties: false },
  declarations,
  denied: new Set(['shell.run']),
  bounds: { fragmentSteps: 6, fragmentDepth: 3, fanOut: 10 },
  available: {},
  converge: false,
  critic: 'off',
};

export function framed(more: Partial<Frame>): Frame {
  return { ...frame, ...more };
}

function found<T>(result: Result<T, UnreadFragment>): T {
  expect(result.ok ? [] : result.error.issues).toEqual([]);
  if (!result.ok) throw new Error('the fragment could not be read');
  return result.value;
}

/** The fragment of a readable reply. */
export function read(reply: Json): Fragment {
  const fragment = found(readFragment(reply));
  if (!('steps' in fragment)) throw new Error('the planner gave up');
  return fragment;
}

export function judged(steps: readonly Json[], within: Frame = frame): Verdict {
  return review(read({ rationale: 'because', steps }), within);
}

/** `CODE path` of each issue. */
export function marks({ issues }: Pick<Verdict, 'issues'>): string[] {
  return issues.map(({ code, path }) => `${code} ${path.join('.')}`);
}

/** A step that calls something, named and wired. */
export function call(name: string, dependencies: readonly string[] = [], more: Record<string, Json> = {}): Json {
  return { name, capability: 'files.read', dependencies: [...dependencies], ...more };
}
