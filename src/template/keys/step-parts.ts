// Nested maps of a step: `retry`, `approval`, `convergence` and `context`.
import { readPercent } from '../../base/quantity.ts';
import { type Key, type KeyValues, keyOf, readKeys } from './key.ts';
import { choice, condition, count, duration, flag, forbids, lisp, map, number, size, text, words } from './kinds.ts';

export const expiryKeys = {
  expires_in: duration('The time for an answer; when absent, the question stays open until somebody answers.'),
  on_expiry: choice('The reaction when nobody answers in time.', ['approve', 'reject', 'fail', 'converge']).or('fail'),
};

export type Expiry = KeyValues<typeof expiryKeys>['onExpiry'];

export const expiryNeedsTime = condition({ required: ['on_expiry'] }, { required: ['expires_in'] });

export const retryKeys = {
  max_attempts: count(
    'The most attempts, including the first. The default is 3 for steps that are retried, else 1.',
    1,
  ).shows(3),
  max_retries: count('The most attempts after the first.', 0),
  backoff: choice('How the delay between attempts grows.', ['none', 'linear', 'exponential', 'fibonacci']).or(
    'exponential',
  ),
  base: duration('The delay after the first failed attempt.').or('1s'),
  max: duration('The longest delay.').or('30s'),
  jitter: number('The random part of a delay: at most this share is subtracted.', 0, 1).or(0.1),
};

export const retry = map(
  'How often and after which delays the step is retried; implies `on_failure: retry`.',
  retryKeys,
);

/** `maxAttempts` includes the first attempt. */
export type RetryPolicy = Omit<KeyValues<typeof retryKeys>, 'maxAttempts' | 'maxRetries'> & {
  readonly maxAttempts: number;
};

export const approvalKeys = {
  prompt: text('The question to the person; may have references.'),
  when: lisp('The condition under which the person is asked.', '(> (:amount data/input) 100)'),
  ...expiryKeys,
};

export const approval = map(
  'Whether a person must approve the call. When absent, calls of MCP tools that may destroy something need approval.',
  approvalKeys,
)
  .with({ allOf: [expiryNeedsTime] })
  .orShort(
    {
      type: ['boolean', 'string', 'object'],
      pattern: '^(always|never)$',
      'x-expects': 'true, always, never, or a map such as { prompt, when, expires_in, on_expiry }',
      default: 'never',
    },
    (written): 'always' | 'never' | undefined => {
      if (written === true || written === 'always') return 'always';
      return written === false || written === 'never' ? 'never' : undefined;
    },
  );

/** Without `when`, every call needs approval; without `prompt`, the question names the step and the call. */
export type ApprovalSpec = KeyValues<typeof approvalKeys>;

export const convergenceKeys = {
  policy: choice('The condition for success. The default is `all_settled` for planning steps that are targets.', [
    'all_success',
    'all_settled',
    'quorum',
  ]).shows('all_success'),
  min: keyOf(
    {
      type: ['integer', 'string'],
      minimum: 1,
      pattern: '^(100|\\d{1,2})\\s*%$',
      'x-expects': 'a number of steps such as 3, or a percentage such as 60%',
      description: 'For `quorum`: the least number or share of branches that must succeed.',
      examples: [3, '60%'],
    },
    (written): { readonly count: number } | { readonly percent: number } | undefined => {
      if (typeof written === 'number') return { count: written };
      const percent = typeof written === 'string' ? readPercent(written) : undefined;
      return percent?.ok ? { percent: percent.value } : undefined;
    },
  ),
  early: flag('Whether the step decides as soon as the outcome is certain; branches that still run are aborted.').or(
    false,
  ),
  on_exhaustion: choice('The reaction when the budget is used up before the branches have ended.', [
    'converge',
    'fail',
    'ask',
  ]).or('converge'),
};

export const convergence = map('How the step judges the branches that converge at it.', convergenceKeys).with({
  allOf: [
    condition(
      { required: ['policy'], properties: { policy: { const: 'quorum' } } },
      { required: ['min'] },
      forbids(['min']),
    ),
  ],
});

type ConvergenceKeys = KeyValues<typeof convergenceKeys>;

export type ConvergenceSpec = Omit<ConvergenceKeys, 'policy'> & Required<Pick<ConvergenceKeys, 'policy'>>;

const strategy = (description: string) =>
  choice(description, ['full', 'contract', 'summary', 'selective', 'hierarchical']);

const someWords = (key: Key<readonly string[]>) => key.to((read) => (read.length === 0 ? undefined : read));

const contextKeys = {
  strategy: strategy('How results are shown to this planning step.').shows('contract'),
  model: text('The profile of the model that writes the summary, for strategy `summary`.', 'cheap'),
  max_tokens: size('The most tokens that this planning step is shown.').shows(4000),
  keep: someWords(words('Fields that are always shown.', ['id'])),
  elide: someWords(words('Fields that are never shown to a model.', ['raw'])),
  sample: count('The most shown items of a list.', 0),
};

export const context = map(
  'How the result of the step is shown to planners; on a planning step, how much it is shown.',
  contextKeys,
);

const runContextKeys = {
  strategy: strategy('How results are shown.').or('contract'),
  model: text(
    'The profile of the model that writes the summary, for strategy `summary`; when absent, `default` or the only profile.',
    'cheap',
  ),
  max_tokens: size('The most tokens that a planner is shown.').or(4000),
};

export const runContext = map('How results are shown to planners.', runContextKeys).orElse(
  readKeys(runContextKeys, {}),
);
