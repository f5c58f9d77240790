// Maps of keys inside a step: how it is retried and approved, how it judges what comes together, how its result is shown.
import { readPercent } from '../../base/quantity.ts';
import { type Key, type KeyValues, keyOf, readKeys } from './key.ts';
import { choice, condition, count, duration, flag, forbids, lisp, map, number, size, text, words } from './kinds.ts';

export const expiryKeys = {
  expires_in: duration('How long a person has; without it, as long as it takes.'),
  on_expiry: choice('What happens when nobody has answered in time.', ['approve', 'reject', 'fail', 'converge']).or(
    'fail',
  ),
};

export type Expiry = KeyValues<typeof expiryKeys>['onExpiry'];

export const expiryNeedsTime = condition({ required: ['on_expiry'] }, { required: ['expires_in'] });

export const retryKeys = {
  max_attempts: count(
    'How many attempts there may be, the first included; 3 where retry is asked for, else 1.',
    1,
  ).shows(3),
  max_retries: count('The same, the first not included.', 0),
  backoff: choice('How the delay grows.', ['none', 'linear', 'exponential', 'fibonacci']).or('exponential'),
  base: duration('The first delay.').or('1s'),
  max: duration('The longest delay.').or('30s'),
  jitter: number('The share of a delay that chance may take off.', 0, 1).or(0.1),
};

export const retry = map('How often and how patiently it is tried again; implies `on_failure: retry`.', retryKeys);

/** `maxAttempts` counts the first attempt. */
export type RetryPolicy = Omit<KeyValues<typeof retryKeys>, 'maxAttempts' | 'maxRetries'> & {
  readonly maxAttempts: number;
};

export const approvalKeys = {
  prompt: text('What the person is asked; with references.'),
  when: lisp('Whether the person is asked at all.', '(> (:amount data/input) 100)'),
  ...expiryKeys,
};

export const approval = map(
  'Whether a person must agree before the capability is called; without it, where an MCP tool may destroy something.',
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

/** Without `when` a person is asked about every call; without `prompt` the question names the step and the call. */
export type ApprovalSpec = KeyValues<typeof approvalKeys>;

export const convergenceKeys = {
  policy: choice('What must have gone well. Planning steps as targets take `all_settled` when nothing is said.', [
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
      description: 'For `quorum`: how many must have succeeded.',
      examples: [3, '60%'],
    },
    (written): { readonly count: number } | { readonly percent: number } | undefined => {
      if (typeof written === 'number') return { count: written };
      const percent = typeof written === 'string' ? readPercent(written) : undefined;
      return percent?.ok ? { percent: percent.value } : undefined;
    },
  ),
  early: flag('Judge as soon as it is decided; what still runs is aborted.').or(false),
  on_exhaustion: choice('What happens when the budget is used up before.', ['converge', 'fail', 'ask']).or('converge'),
};

export const convergence = map('How the step judges what comes together at it.', convergenceKeys).with({
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
  model: text('Which model sums up, where the strategy is `summary`.', 'cheap'),
  max_tokens: size('How much is shown.').shows(4000),
  keep: someWords(words('Fields that are always shown.', ['id'])),
  elide: someWords(words('Fields that are never shown to a model.', ['raw'])),
  sample: count('How many items of a list are shown.', 0),
};

export const context = map(
  'How the result is shown to planners; on a planning step, how much it is shown.',
  contextKeys,
);

const runContextKeys = {
  strategy: strategy('How results are shown.').or('contract'),
  model: text(
    'Which model sums up, where the strategy is `summary`; `default` or the only one when nothing is said.',
    'cheap',
  ),
  max_tokens: size('How much a planner is shown.').or(4000),
};

export const runContext = map('How results are shown to planners.', runContextKeys).orElse(
  readKeys(runContextKeys, {}),
);
