// The error for a call that a command cannot understand.

export class UsageError extends Error {
  override readonly name = 'UsageError';
}
