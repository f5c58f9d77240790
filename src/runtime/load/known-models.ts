// Models known outside of a template: list prices, and the model that the environment names.
import { defined, type JsonObject } from '../../base/json.ts';
import type { KnownModels } from '../../template/keys/model.ts';

/**
 * `RECONVERGE_MODEL` names the model `default` for templates that declare none, and `RECONVERGE_EMBEDDINGS` the embeddings
 * model. The price list is loaded only when it may be needed.
 * @param handedOver the profiles of the models of the program by name; undefined: the model does not describe itself
 */
export async function knownModels(
  env: Readonly<Record<string, string | undefined>>,
  isNeeded: boolean,
  handedOver: Readonly<Record<string, JsonObject | undefined>> = {},
): Promise<KnownModels> {
  const { RECONVERGE_MODEL: model, RECONVERGE_EMBEDDINGS: embeddings } = env;
  const profiles: KnownModels['profiles'] = defined({
    default: model === undefined || model === '' ? undefined : { model },
  });
  const others = Object.entries(handedOver).map(([name, profile]): [string, JsonObject] => [
    name,
    profile ?? profiles[name] ?? { model: name },
  ]);
  const named = defined({
    handedOver: others.length === 0 ? undefined : Object.fromEntries(others),
    embeddings: embeddings === '' ? undefined : embeddings,
  });
  if (!isNeeded && others.length === 0 && (model ?? embeddings) === undefined)
    return { priceOf: () => undefined, profiles, env };
  const { priceOf } = await import('../../llm/price-list.ts');
  return { priceOf, profiles, env, ...named };
}
