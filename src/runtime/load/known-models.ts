// Models known outside of a template: list prices, and the model that the environment names.
import { defined } from '../../base/json.ts';
import type { KnownModels } from '../../template/keys/model.ts';

/**
 * `RECONVERGE_MODEL` names the model `default` for templates that declare none, and `RECONVERGE_EMBEDDINGS` the embeddings
 * model. The price list is loaded only when it may be needed.
 */
export async function knownModels(
  env: Readonly<Record<string, string | undefined>>,
  isNeeded: boolean,
): Promise<KnownModels> {
  const { RECONVERGE_MODEL: model, RECONVERGE_EMBEDDINGS: embeddings } = env;
  const profiles: KnownModels['profiles'] = defined({
    default: model === undefined || model === '' ? undefined : { model },
  });
  const named = defined({ embeddings: embeddings === '' ? undefined : embeddings });
  if (!isNeeded && (model ?? embeddings) === undefined) return { priceOf: () => undefined, profiles, env };
  const { priceOf } = await import('../../llm/price-list.ts');
  return { priceOf, profiles, env, ...named };
}
