// The Lisp as a library: `reconverge/lisp`.

export { compileCached } from './compile-cached.ts';
export { type ErrorFamily, familyOf } from './exception.ts';
export { type Judgement, judgePredicate } from './judge-predicate.ts';
export { defaultLimits, type Limits } from './limits.ts';
export { lintPredicate, type PredicateKnowledge } from './lint-predicate.ts';
export { type CompileOptions, compile, type Program } from './program.ts';
export { docOf } from './reference.ts';
export { type ReferencedPath, referencedPaths } from './referenced-paths.ts';
export { type LispError, type Outcome, type RunOptions, run } from './run.ts';
export { type JsonOutcome, toEdn, toJson } from './to-json.ts';
export type { Value } from './value.ts';
