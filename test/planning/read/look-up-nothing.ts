// Ways to fill in a value that has neither references nor expressions.
import { issue } from '../../../src/base/issue.ts';
import { bad } from '../../../src/base/result.ts';
import type { Evaluate, Lookup } from '../../../src/template/interpolate.ts';

export const lookUpNothing: Lookup = () => undefined;
export const evaluateNothing: Evaluate = () => bad([issue('LISP_PARSE', 'nothing is evaluated here')]);
