// The resource of spans and metrics.
import { hostname } from 'node:os';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { version } from '../runtime/journal/package-version.ts';
import { SERVICE } from './origin-name.ts';

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override these. */
export function ownResource(): Resource {
  // Without the name of a host, Jaeger takes each span for one of another host, whose clock may differ.
  const own = resourceFromAttributes({
    'service.name': SERVICE,
    'service.version': version(),
    'host.name': hostname(),
  });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}
