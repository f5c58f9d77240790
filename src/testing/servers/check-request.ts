// Checks a request against the traits of a server: refused, and if so with which error, or which keys it does not heed.
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import type { ServerError } from './error-body.ts';
import { type RequestTrait, traitsOf } from './request-traits.ts';
import type { RefusalRule, ServerTraits } from './server-traits.ts';

/** Undefined when the server takes the request. */
export function refusalOf(body: JsonObject, traits: ServerTraits): ServerError | undefined {
  const { otherModel, models, refuses } = traits;
  const model = String(body.model);
  if (otherModel !== undefined && !models.includes(model)) return errorOf(otherModel, body);
  const unknown = unknownFields(body, traits);
  if (unknown.length > 0) {
    return { status: 422, message: 'Extra inputs are not permitted', detail: unknown };
  }
  const used = traitsOf(body);
  const rule = refuses.find(({ uses }) => uses.every((trait) => used.has(trait)));
  return rule === undefined ? undefined : errorOf(rule, body);
}

/** The keys of the body that the server takes and does not heed. */
export function ignoredIn(body: JsonObject, { ignores }: ServerTraits): readonly string[] {
  return ignores.filter((key) => Object.hasOwn(body, key));
}

/** Refusals that come from the model behind a router. */
const upstream: ReadonlySet<RequestTrait> = new Set<RequestTrait>(['lost_reasoning_details']);

function errorOf(
  { status = 400, message, code, ...rule }: Omit<RefusalRule, 'uses'> & Partial<Pick<RefusalRule, 'uses'>>,
  body: JsonObject,
): ServerError {
  const told = message
    .replaceAll('{model}', String(body.model))
    .replaceAll('{temperature}', String(body.temperature ?? ''));
  const isUpstream = rule.uses?.some((trait) => upstream.has(trait)) === true ? true : undefined;
  return { status, message: told, ...defined({ code, param: rule.param, isUpstream }) };
}

/** The errors of a validator that knows all its fields; an empty list of tools counts as an unknown field. */
function unknownFields(body: JsonObject, { knows }: ServerTraits): readonly Json[] {
  if (knows === undefined) return [];
  const extra = (loc: readonly (string | number)[], input: Json): Json => ({
    type: 'extra_forbidden',
    loc: ['body', ...loc],
    msg: 'Extra inputs are not permitted',
    input,
  });
  const isEmptyList = (value: Json): boolean => isJsonArray(value) && value.length === 0;
  const keys = Object.entries(body)
    .filter(([key, value]) => !knows.body.includes(key) || (key === 'tools' && isEmptyList(value)))
    .map(([key, value]) => {
      // The option in it is refused rather than the key.
      const option = key === 'stream_options' && isJsonObject(value) ? Object.entries(value)[0] : undefined;
      return option === undefined ? extra([key], value) : extra([key, option[0]], option[1]);
    });
  const messages = isJsonArray(body.messages) ? body.messages : [];
  const inMessages = messages.flatMap((message, at) =>
    Object.entries(message ?? {})
      .filter(([key]) => !knows.message.includes(key))
      .map(([key, value]) => extra(['messages', at, String(ownProperty(message, 'role')), key], value)),
  );
  return [...keys, ...inMessages];
}
