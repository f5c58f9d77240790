// Passes measurements to a meter of OpenTelemetry, with one instrument for each row of the table of instruments.
import type { Meter } from '@opentelemetry/api';
import { defined } from '../../base/json.ts';
import { type InstrumentName, instruments, type Measurement } from '../../telemetry/metrics.ts';

type Instrument = (value: number, by: Measurement['by']) => void;

export type Measure = (measurements: readonly Measurement[]) => void;

export function measureWith(meter: Meter): Measure {
  const known = new Map<InstrumentName, Instrument>();
  return (measurements) => {
    for (const { of, value, by } of measurements) {
      const record = known.get(of) ?? instrumentFor(meter, of);
      known.set(of, record);
      record(value, by);
    }
  };
}

/** Histogram buckets by unit, as the GenAI conventions advise. */
const boundaries: Readonly<Record<string, readonly number[]>> = {
  s: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  '{token}': [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304],
};

function instrumentFor(meter: Meter, name: InstrumentName): Instrument {
  const { kind, unit, says } = instruments[name];
  const bounds = boundaries[unit];
  const advice = defined({ advice: bounds === undefined ? undefined : { explicitBucketBoundaries: [...bounds] } });
  const options = { unit, description: says, ...advice };
  switch (kind) {
    case 'counter': {
      const counter = meter.createCounter(name, options);
      return (value, by) => counter.add(value, by);
    }
    case 'histogram': {
      const histogram = meter.createHistogram(name, options);
      return (value, by) => histogram.record(value, by);
    }
    case 'gauge': {
      const gauge = meter.createGauge(name, options);
      return (value, by) => gauge.record(value, by);
    }
  }
}
