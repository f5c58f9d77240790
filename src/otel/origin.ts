// The resource of spans and metrics.
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
  const own = resourceFromAttributes({ 'service.name': SERVICE, 'service.version': version() });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}
