// The Lisp as a library: `reconverge/lisp`.

export { defaultLimits, type Limits } from './limits.ts';
export { type CompileOptions, compile, type Program } from './program.ts';
export { type LispError, type Outcome, type RunOptions, run } from './run.ts';
export { type JsonOutcome, toEdn, toJson } from './to-json.ts';
export { type Family, familyOf } from './trouble.ts';
export type { Value } from './value.ts';
