// The link that an order says for a property that takes one.
import type { JsonObject } from '../../base/json.ts';
import { openKinds, propertiesOf, type Schema, schemaOf } from '../../contract/schema.ts';
import { mask } from '../match/mask.ts';
import { stemOf } from '../match/terms.ts';
import { equivalence, keyOf, stemsOf } from './equivalents.ts';
import { fitTo } from './fit-to.ts';

/**
 * The links of an order, where one property takes such: it is named for that alone, or the words of its name are said
 * (`redirects to https://…` is the `redirect_url`).
 */
export function linksIn(order: string, contract: Schema, taken: ReadonlySet<string>): JsonObject {
  const links = mask(order).spans.flatMap(({ kind, text, written }) =>
    kind === 'link' && written === text ? [text] : [],
  );
  const [link, ...others] = new Set(links);
  if (link === undefined) return {};
  const said = new Set(order.match(/\p{L}+/gu)?.map(stemOf));
  const taking = Object.entries(propertiesOf(contract)).flatMap(([name, schema]) => {
    const stems = stemsOf(name);
    const isBare = equivalence(URL, keyOf(name)) === 1;
    const isNamed = IS_LINK.test(stems.at(-1) ?? '');
    if (!isBare && !isNamed && schemaOf(schema).format !== 'uri') return [];
    const words = (isNamed ? stems.slice(0, -1) : stems).filter((word) => !ANY_LINK.test(word));
    return isBare || words.every((word) => said.has(word)) ? [{ name, schema: schemaOf(schema), isBare }] : [];
  });
  const named = taking.filter(({ isBare }) => !isBare);
  const [only, another] = named.length > 0 ? named : taking;
  if (only === undefined || another !== undefined || taken.has(only.name)) return {};
  const { name, schema } = only;
  const value = openKinds(schema, contract).has('list') ? [link, ...others] : others.length === 0 ? link : undefined;
  const fitted = value === undefined ? undefined : fitTo(value, schema, contract);
  return fitted?.ok === true ? { [name]: fitted.value } : {};
}

const URL = keyOf('url');
const IS_LINK = /^(?:url|uri|href|link|websit|website)$/;
/** They tell one link from no other. */
const ANY_LINK =
  /^(?:page|web|websit|website|site|target|sourc|source|start|base|resourc|resource|data|input|document|file)$/;
