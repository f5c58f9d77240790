// Check 2: every step has a name of its own, and every dependency names a step that can be waited for.
import { checkDependencies } from '../../template/check/dependencies.ts';
import * as template from '../../template/check/names.ts';
import type { Check } from '../verdict.ts';

export const checkNames: Check = ({ scope }) => [...template.checkNames(scope), ...checkDependencies(scope)];
