// A command was called in a way that it cannot understand.

export class UsageError extends Error {
  override readonly name = 'UsageError';
}
