// Finds the OpenTelemetry providers that the program around this library has registered.
import type * as Api from '@opentelemetry/api';
import { defined } from '../../base/json.ts';
import { isPackageMissing, missingText } from '../../base/missing-package.ts';
import { version } from '../journal/package-version.ts';
import { type Measure, measureWith } from './meter.ts';

/** The providers that a program has registered with `@opentelemetry/api`. */
export interface Host {
  readonly api: typeof Api;
  readonly tracer: Api.Tracer | undefined;
  readonly measure: Measure | undefined;
  active(): Api.Context;
  within<T>(context: Api.Context, work: () => T): T;
  /** The headers that the program's propagator writes. */
  headers(context: Api.Context): Readonly<Record<string, string>>;
}

/** The package keeps everything registered here, whichever copy of it the program uses. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

interface Registered {
  readonly trace?: Api.TracerProvider;
  readonly metrics?: Api.MeterProvider;
  readonly context?: Api.ContextManager;
  readonly propagation?: Api.TextMapPropagator;
}

const NAME = 'reconverge';

/** Undefined, at no cost, in a program that has registered neither spans nor metrics. */
export async function findHost(): Promise<Host | undefined> {
  const registered = registeredIn(globalThis);
  if (registered?.trace === undefined && registered?.metrics === undefined) return undefined;
  const api = await import('@opentelemetry/api').catch(withoutApi);
  if (api === undefined) return undefined;
  const { trace, metrics, context, propagation } = registered;
  return {
    api,
    tracer: trace?.getTracer(NAME, version()),
    measure: metrics === undefined ? undefined : measurer(metrics),
    active: () => context?.active() ?? api.ROOT_CONTEXT,
    within: (active, work) => (context === undefined ? work() : context.with(active, work)),
    headers(active) {
      const carrier: Record<string, string> = {};
      propagation?.inject(active, carrier, api.defaultTextMapSetter);
      return carrier;
    },
  };
}

/** The program has the API in a place that this package cannot reach, such as below another package. */
function withoutApi(thrown: unknown): undefined {
  if (!isPackageMissing(thrown, '@opentelemetry/api')) throw thrown;
  process.emitWarning(missingText('tracing in your OpenTelemetry provider', '@opentelemetry/api'));
}

function registeredIn(global: object): Registered | undefined {
  const found: unknown = Reflect.get(global, REGISTERED);
  return typeof found === 'object' && found !== null ? found : undefined;
}

const measurers = new WeakMap<Api.MeterProvider, Measure>();

/** Instruments are made once for each provider. */
function measurer(provider: Api.MeterProvider): Measure {
  const known = measurers.get(provider) ?? measureWith(provider.getMeter(NAME, version()));
  measurers.set(provider, known);
  return known;
}

interface Caller {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** The trace context that the caller gives, or that of the active span, in W3C form. */
export function callerOf({ traceparent, tracestate }: Caller, host: Host | undefined): Caller {
  if (traceparent !== undefined) return defined({ traceparent, tracestate });
  const span = host?.api.trace.getSpanContext(host.active());
  if (span === undefined || host?.api.isSpanContextValid(span) !== true) return {};
  return defined({ traceparent: traceparentIn(span), tracestate: span.traceState?.serialize() || undefined });
}

export function traceparentIn({ traceId, spanId, traceFlags }: Api.SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1) === 0 ? '00' : '01'}`;
}
