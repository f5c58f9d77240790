// How plans are criticised, as a document says it: a word, or the model that looks at them too.
import { defined, type JsonObject } from '../../base/json.ts';
import { choiceAt, flagAt, mapAt, textAt } from '../keys/readers.ts';
import type { Template } from '../template.ts';

type Critics = Pick<Template, 'critic' | 'criticModel'>;

export function readCritic(raw: JsonObject): Critics {
  const settings = mapAt(raw, 'critic');
  const model = settings && textAt(settings, 'model');
  const isStrict = settings !== undefined && flagAt(settings, 'strict') === true;
  const critic = isStrict ? 'strict' : choiceAt(raw, 'critic', ['off', 'strict']);
  return { ...defined({ critic, criticModel: model }) };
}
