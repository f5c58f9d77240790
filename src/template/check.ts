// The fourth stage of loading: checks how the parts of a template fit together. Each check has a file, and checks of a scope also apply to fragments.
import type { Issue } from '../base/issue.ts';
import { defined } from '../base/json.ts';
import type { Budget } from '../budget/limits.ts';
import { checkAuthoredSteps, checkBudget } from './check/budgets.ts';
import { checkCapabilities, checkCapabilityLimits, checkConcurrencyKeys } from './check/capabilities.ts';
import { checkContracts } from './check/contracts.ts';
import { checkAuthoredQuorums, checkPlanningDependents, checkTargets, checkTargetsNamed } from './check/convergence.ts';
import { checkCycles } from './check/cycles.ts';
import { checkDecisions } from './check/decisions.ts';
import { checkDependencies } from './check/dependencies.ts';
import { checkEffects, checkEffectsOf } from './check/effects.ts';
import { checkGoals } from './check/goals.ts';
import { checkModels } from './check/models.ts';
import { checkNames } from './check/names.ts';
import { checkNeeds } from './check/needs.ts';
import { eachWork } from './check/paths.ts';
import { checkPlanningFailure } from './check/planning-failure.ts';
import { checkPredicates } from './check/predicates.ts';
import { checkOutputReferences, checkReferences } from './check/references.ts';
import { checkRepairs } from './check/repairs.ts';
import { checkRetries } from './check/retries.ts';
import { checkSynthesis } from './check/synthesis.ts';
import type { Scope } from './scope.ts';
import type { Template } from './template.ts';

type ScopeCheck = (scope: Scope) => readonly Issue[];

/** The order decides which of two related issues is shown first. */
const scopeChecks: readonly ScopeCheck[] = [
  checkNames,
  checkDependencies,
  checkCycles,
  checkTargets,
  checkPlanningDependents,
  checkDecisions,
  checkSynthesis,
  checkPlanningFailure,
  checkCapabilities,
  checkReferences,
  checkGoals,
  checkContracts,
  checkPredicates,
  checkNeeds,
  checkRetries,
];

/** All issues of a resolved template. Paths number the steps of the template with its included files. */
export function checkTemplate(template: Omit<Template, 'digest'>): readonly Issue[] {
  const scope: Scope = {
    steps: template.steps,
    outside: { get: () => undefined, names: () => [] },
    declarations: template.capabilities,
    ...defined({ input: template.input }),
  };
  const whole = writtenBudget(template);
  return [
    ...scopeChecks.flatMap((check) => check(scope)),
    ...checkTargetsNamed(scope),
    ...checkAuthoredQuorums(template),
    ...checkCapabilityLimits(template),
    ...checkConcurrencyKeys(template),
    ...checkModels(template, scope),
    ...checkOutputReferences(scope, template.output),
    ...checkAuthoredSteps(template.steps, whole, template.budgetKeys),
    ...checkEffects(scope, template.effects),
    ...(template.repair === undefined ? [] : checkEffectsOf(template.repair, ['repair'], scope, template.effects)),
    ...checkRepairs(scope, template.repair),
    ...eachWork(scope, ({ budget }, at, of) =>
      budget === undefined ? [] : checkBudget(budget, narrowed(whole, of?.budget), at),
    ),
  ];
}

function narrowed(whole: Budget, part: Budget = { limit: {} }): Budget {
  return { ...whole, ...part, limit: { ...whole.limit, ...part.limit } };
}

/** The budget that limits the steps. Bounds of fragments count only if the author wrote them, because planning steps have their own defaults. */
function writtenBudget({ budget, budgetKeys }: Pick<Template, 'budget' | 'budgetKeys'>): Budget {
  const { limit, wallClock, planningDepth, fragmentSteps, fragmentDepth, fanOut } = budget;
  return {
    limit,
    wallClock,
    planningDepth,
    ...(budgetKeys.includes('max_fragment_steps') ? { fragmentSteps } : {}),
    ...(budgetKeys.includes('max_fragment_depth') ? { fragmentDepth } : {}),
    ...(budgetKeys.includes('max_fan_out') ? { fanOut } : {}),
  };
}
