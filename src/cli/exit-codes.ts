// The exit codes of commands, and their names.

export const exitCodes = {
  done: 0,
  issues: 1,
  usage: 2,
  waiting: 3,
  budget: 4,
  cancelled: 5,
  partial: 6,
  fault: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export type ExitName = keyof typeof exitCodes;

/** The exits of commands that drive runs. */
export const allExits: readonly ExitName[] = [
  'done',
  'issues',
  'usage',
  'waiting',
  'budget',
  'cancelled',
  'partial',
  'fault',
  'interrupted',
];

/** The exits of all other commands. */
export const usualExits: readonly ExitName[] = ['done', 'issues', 'usage', 'fault'];

export const exitMeanings: Readonly<Record<ExitName, string>> = {
  done: 'done',
  issues: 'there are issues, the run failed, or the answer could not be written',
  usage: 'wrong usage',
  waiting: 'the run waits for a person: gates are open, or it is paused',
  budget: 'the run was stopped by its budget',
  cancelled: 'the run was cancelled',
  partial: 'with --fail-on-partial: the run completed, but only in part',
  fault: 'a bug in reconverge; the journal is intact',
  interrupted: 'the run was interrupted and can be resumed',
};
