// Rules for `anyOf`, `oneOf` and `not`.
import { schemaOf, schemasOf } from '../schema.ts';
import type { Rule } from './rule.ts';

export const anyOfRule: Rule = ({ consumer, path, against, excludes }) => {
  const branches = schemasOf(consumer.anyOf);
  if (branches.length === 0) return [];
  const found = branches.map(against);
  if (found.some((reasons) => reasons.length === 0)) return [];
  const open = found.filter((_, index) => !excludes(branches[index] ?? {}));
  const [only, another] = open;
  if (only !== undefined && another === undefined) return only;
  return [{ path, message: 'may match none of the alternatives' }];
};

export const oneOfRule: Rule = ({ consumer, path, against, excludes }) => {
  const branches = schemasOf(consumer.oneOf);
  if (branches.length === 0) return [];
  const open = branches.filter((branch) => !excludes(branch));
  const found = open.map(against);
  const [only = []] = found;
  if (found.length === 1) return only;
  if (found.some((reasons) => reasons.length === 0))
    return [{ path, message: 'may match more than one of the alternatives' }];
  return [{ path, message: 'may not match exactly one of the alternatives' }];
};

export const notRule: Rule = ({ consumer, path, excludes }) => {
  if (consumer.not === undefined || excludes(schemaOf(consumer.not))) return [];
  return [{ path, message: 'may match the excluded values' }];
};
