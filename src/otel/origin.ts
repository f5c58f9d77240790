// Who sends: the resource and the scope that spans and measurements name.
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { version } from '../runtime/journal/version.ts';
import type { Scope } from './readable-span.ts';

const SERVICE = 'reconverge';

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES have the last word. */
export function ownResource(): Resource {
  const own = resourceFromAttributes({ 'service.name': SERVICE, 'service.version': version() });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

export function ownScope(): Scope {
  return { name: SERVICE, version: version() };
}
