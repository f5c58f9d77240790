// Decides whether a run is traced, once per trace, as OTEL_TRACES_SAMPLER says.
import { ROOT_CONTEXT } from '@opentelemetry/api';
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import type { TraceContext } from '../telemetry/trace-ids.ts';
import type { TelemetrySettings } from './settings.ts';

export function isSampled({ name, ratio }: TelemetrySettings['sampler'], context: TraceContext): boolean {
  const own = name.replace(/^parentbased_/, '');
  if (own !== name && context.parent !== undefined) return context.unsampled !== true;
  switch (own) {
    case 'always_off':
      return false;
    case 'traceidratio': {
      const sampler = new TraceIdRatioBasedSampler(ratio);
      const { decision } = sampler.shouldSample(ROOT_CONTEXT, context.trace);
      return decision === SamplingDecision.RECORD_AND_SAMPLED;
    }
    default:
      return true;
  }
}
