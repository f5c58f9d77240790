// The name of this service, and the instrumentation scope of its spans and metrics.
import { version } from '../runtime/journal/package-version.ts';
import type { Scope } from './readable-span.ts';

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override this. */
export const SERVICE = 'reconverge';

export function ownScope(): Scope {
  return { name: SERVICE, version: version() };
}
