// A process with little memory that evaluates every hostile expression to its JSON, and prints how many it has survived.
import { timeOf } from '../../bench/lisp/search.ts';
import { hostileExpressions } from './hostile-expressions.ts';

console.log(hostileExpressions.map(timeOf).length);
