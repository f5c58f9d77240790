// The boundary where `${env.X}` and `${secret.X}` become values, and where secrets are taken out of what comes back.
import type { Failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { defined, type Json } from '../../base/json.ts';
import { fillReferences, fillText, missing } from '../../capabilities/fill-references.ts';
import { type Redaction, redactionOf } from './redaction.ts';
import { secretsNamed } from './secret-names.ts';

/** Environment variables by name; usually `process.env`. */
export type Surroundings = Readonly<Record<string, string | undefined>>;

export interface Boundary {
  /** Replaces references; with `only`, replaces just those that it names, such as `secret.TOKEN`. @throws CapabilityError ENV_MISSING, SECRET_MISSING */
  fillIn(value: Json, only?: readonly string[]): Json;
  fillText(text: string): string;
  /** @throws CapabilityError SECRET_MISSING */
  secret(name: string): string;
  env(name: string): string | undefined;
  /** Writes `***` in the place of each secret that was handed out, and of those in `also`, in keys and in texts. */
  redact(value: Json, also?: readonly string[]): Json;
  /** The redaction of `redact` at this moment. */
  redaction(): Redaction;
  /** The redaction of `redactText` at this moment, for logs. */
  textRedaction(): Redaction;
  /** For logs and error messages: also hides each environment variable whose name says that it is a secret. */
  redactText(text: string): string;
  /** Applies `redactText` to all messages of a failure. */
  redactFailure(failure: Failure): Failure;
}

export function boundary(surroundings: Surroundings): Boundary {
  const handedOut = new Set<string>();
  /** Redactions of the secrets known so far, by the additional secrets. Handing out another secret clears them. */
  let redactions = new WeakMap<readonly string[], Redaction>();
  // Looked up on first use, because reading the environment of a process takes time and most texts are never redacted.
  let around: readonly string[] | undefined;
  const named = (): readonly string[] => {
    around ??= secretsNamed(surroundings);
    return around;
  };

  function redactionWith(also: readonly string[]): Redaction {
    const known = redactions.get(also) ?? redactionOf([...handedOut, ...also]);
    redactions.set(also, known);
    return known;
  }

  function env(name: string): string | undefined {
    return Object.hasOwn(surroundings, name) ? surroundings[name] : undefined;
  }

  function secret(name: string): string {
    const value = env(name);
    if (value === undefined) throw missing('SECRET_MISSING', name);
    if (!handedOut.has(value)) redactions = new WeakMap();
    handedOut.add(value);
    return value;
  }

  return {
    env,
    secret,
    fillText: (text) => fillText(text, { env, secret }),
    fillIn: (value, only) => (mentions(value) ? fillReferences(value, { env, secret }, only) : value),
    redactText: (text) => redactionWith(named()).text(text),
    redactFailure: (failed) => failureWithout(failed, redactionWith(named()).text),
    redact: (value, also = NONE) => redactionWith(also).value(value),
    redaction: () => redactionWith(NONE),
    textRedaction: () => redactionWith(named()),
  };
}

const NONE: readonly string[] = [];

function failureWithout(failed: Failure, redact: (text: string) => string): Failure {
  const { message, cause, issues } = failed;
  return {
    ...failed,
    message: redact(message),
    ...defined({
      cause: cause === undefined ? undefined : failureWithout(cause, redact),
      issues: issues === undefined ? undefined : issues.map((each) => issueWithout(each, redact)),
    }),
  };
}

/** The issue without secrets. */
export function issueWithout(found: Issue, redact: (text: string) => string): Issue {
  const { message, hint } = found;
  return { ...found, message: redact(message), ...defined({ hint: hint === undefined ? undefined : redact(hint) }) };
}

function mentions(value: Json): boolean {
  if (typeof value === 'string') return value.includes('${');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(mentions);
}
