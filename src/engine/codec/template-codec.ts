// A run's template as the journal stores it: fields that steps share with the first step are stored once.

import type { Json, JsonObject } from '../../base/json.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { templateUpcasts } from './upcasts.ts';
import { omitUsual, restoreUsual } from './usual-fields.ts';

/** Fields that most steps share, because the language fills them in. */
const alike = [
  'type',
  'capability',
  'implied',
  'onVerificationFailure',
  'onFailure',
  'retry',
  'critical',
  'timeout',
  'maxDeliveries',
] as const satisfies readonly (keyof StepSpec)[];

export function templateText(template: Template): string {
  const usual = usualOf(template.steps);
  return JSON.stringify({ ...template, usual, steps: template.steps.map((step) => omitUsual(step, usual)) });
}

export function templateFrom(text: string): Template {
  const { usual, steps, ...rest } = JSON.parse(text) as StoredTemplate;
  const stored = { ...rest, steps: steps.map((step) => restoreUsual(step, usual)) };
  return templateUpcasts.reduce<JsonObject>((template, upcast) => upcast(template), stored) as unknown as Template;
}

interface StoredTemplate {
  readonly usual: JsonObject;
  readonly steps: readonly JsonObject[];
  readonly [key: string]: Json;
}

function usualOf([first]: readonly StepSpec[]): JsonObject {
  if (first === undefined) return {};
  const said = alike.map((key) => [key, first[key]] as const).filter(([, value]) => value !== undefined);
  return JSON.parse(JSON.stringify(Object.fromEntries(said))) as JsonObject;
}
