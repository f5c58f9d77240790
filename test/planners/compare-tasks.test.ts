// Tasks of which words leave open who does them: compared by embeddings in one ask, and never where words decide.

import { describe, expect, it } from 'vitest';
import { type Json, ownProperty } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { CallOutcome } from '../../src/engine/record/call.ts';
import { advance } from '../../src/planners/planner.ts';
import { plannerOf } from '../../src/planners/planner-of.ts';
import type { Brief } from '../../src/planning/brief.ts';
import { brief } from './given-brief.ts';

const line = (name: string, description: string, effects: Brief['capabilities'][number]['effects'] = ['read']) => ({
  name,
  description,
  effects,
  input: { type: 'object', properties: {} },
});
const capabilities = [
  line('drive.list_files', 'List files of the drive'),
  line('files.delete', 'Delete files', ['delete']),
  line('shop.list_files', 'List files of the shop'),
];
const embeddings = { model: 'embedder', timeout: 1_000, maxRetries: 1 };

function asked(goal: string, said: readonly CallOutcome[] = [], around: Partial<Brief> = {}) {
  const planner = plannerOf(
    { kind: 'pattern', kinds: {}, sequential: false, attachments: [] },
    { limits: { lisp: {} }, models: {}, embeddings },
  );
  return advance(planner, { ...brief, goal, capabilities, ...around }, said);
}

const alike = (...rows: number[][]): CallOutcome => good({ alike: rows });
const failed = (retry: 'may' | 'never', code = 'MODEL_UNAVAILABLE'): CallOutcome =>
  bad({ code, message: 'it is down', retry });
const fragmentOf = (progress: ReturnType<typeof asked>): Json =>
  progress.done && progress.end.ok ? progress.end.value.fragment : null;

describe('an open task', () => {
  const goal = 'List the files of our web store';

  it('is compared with all capabilities, forbidden ones included', () => {
    expect(asked(goal)).toEqual({
      done: false,
      call: {
        kind: 'embeddings',
        request: {
          goals: [goal],
          texts: [
            'drive list files: List files of the drive',
            'files delete: Delete files',
            'shop list files: List files of the shop',
          ],
        },
      },
    });
  });

  it('is put to a person, with the most similar capability first', () => {
    const shown = (row: number[]) => ownProperty(fragmentOf(asked(goal, [alike(row)])), 'needs_clarification');
    expect(shown([0.3, 0.9, 0.7])).toMatchObject({
      question: `Which capability does "${goal}"?`,
      answer: { enum: ['shop.list_files', 'drive.list_files', 'none of these', 'another, by name'] },
    });
    expect(shown([0.7, 0.9, 0.3])).toMatchObject({
      answer: { enum: ['drive.list_files', 'shop.list_files', 'none of these', 'another, by name'] },
    });
  });

  it('records the similarity and the veto of each candidate', () => {
    const clarifications = [{ question: `Which capability does "${goal}"?`, answer: 'shop.list_files' }];
    expect(fragmentOf(asked(goal, [alike([0.3, 0.9, 0.7])], { clarifications }))).toMatchObject({
      steps: [{ capability: 'shop.list_files' }],
      intents: {
        intents: [
          {
            chosen: {
              by: 'person',
              capability: 'shop.list_files',
              candidates: [
                { name: 'shop.list_files', alike: 0.7 },
                { name: 'drive.list_files', alike: 0.3 },
                { name: 'files.delete', alike: 0.9, veto: expect.stringContaining('destroys') },
              ],
            },
          },
        ],
      },
    });
  });

  it('is compared again after a wait when the request failed', () => {
    expect(asked(goal, [failed('may')])).toMatchObject({ done: false, call: { kind: 'embeddings', after: 1_000 } });
    expect(fragmentOf(asked(goal, [failed('may'), alike([0.3, 0.9, 0.7])]))).toMatchObject({
      needs_clarification: { question: expect.stringContaining(goal) },
    });
  });

  it('is ordered by words alone when the model is unreachable, and the plan says so', () => {
    const clarifications = [{ question: `Which capability does "${goal}"?`, answer: 'drive.list_files' }];
    expect(fragmentOf(asked(goal, [failed('may'), failed('may')], { clarifications }))).toMatchObject({
      rationale: expect.stringContaining('by words alone: it is down'),
      steps: [{ capability: 'drive.list_files' }],
    });
  });

  it('fails when the cassette lacks the comparison', () => {
    expect(asked(goal, [failed('never', 'CASSETTE_MISS')])).toMatchObject({
      done: true,
      end: { ok: false, error: { code: 'CASSETTE_MISS' } },
    });
  });
});

it('shares one request with all tasks of the goal', () => {
  const progress = asked('List the files of our web store, then list the files of the disk');
  expect(progress.done ? {} : progress.call).toMatchObject({ request: { goals: { length: 2 } } });
});

it('sends no request when words decide, a capability is named, or an agent does the work', () => {
  for (const goal of ['List the files of the shop', 'Use drive.list_files', 'Write a poem'])
    expect(asked(goal).done, goal).toBe(true);
});

it('sends no request without an embeddings model', () => {
  const spec = { kind: 'pattern', kinds: {}, sequential: false, attachments: [] } as const;
  const progress = advance(plannerOf(spec), { ...brief, goal: 'List the files of our web store', capabilities }, []);
  expect(progress.done).toBe(true);
});
