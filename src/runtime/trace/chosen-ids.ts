// Lets our own tracer start spans under ids of our choice, so that every process and every export of a run agrees on them.
import type { Span, Tracer } from '@opentelemetry/api';

interface IdGenerator {
  generateSpanId(): string;
  generateTraceId(): string;
}

class ChosenIds implements IdGenerator {
  span: string | undefined;
  trace: string | undefined;
  readonly #otherwise: IdGenerator;

  constructor(otherwise: IdGenerator) {
    this.#otherwise = otherwise;
  }

  generateSpanId(): string {
    return this.span ?? this.#otherwise.generateSpanId();
  }

  generateTraceId(): string {
    return this.trace ?? this.#otherwise.generateTraceId();
  }
}

/** Starts a span under these ids; the trace id counts for a span without a parent. */
export type StartUnder = (ids: { readonly span: string; readonly trace: string }, start: () => Span) => Span;

/**
 * The API has no way to choose ids. The SDK's tracers ask a generator, which each keeps under this name; a tracer is made
 * for the scope `reconverge` alone. Undefined for the tracer of another implementation, which chooses ids itself.
 */
export function startUnder(tracer: Tracer): StartUnder | undefined {
  const known = generatorIn(tracer);
  if (known === undefined) return undefined;
  const chosen = known instanceof ChosenIds ? known : new ChosenIds(known);
  if (!Reflect.set(tracer, KEY, chosen) || generatorIn(tracer) !== chosen) return undefined;
  return ({ span, trace }, start) => {
    chosen.span = span;
    chosen.trace = trace;
    try {
      return start();
    } finally {
      chosen.span = undefined;
      chosen.trace = undefined;
    }
  };
}

const KEY = '_idGenerator';

function generatorIn(tracer: Tracer): IdGenerator | undefined {
  const found: unknown = Reflect.get(tracer, KEY);
  return isGenerator(found) ? found : undefined;
}

function isGenerator(value: unknown): value is IdGenerator {
  return ['generateSpanId', 'generateTraceId'].every(
    (name) => typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function',
  );
}
