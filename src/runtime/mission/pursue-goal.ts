// Starts a run that pursues a goal without a template.
import { issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import { bad, type Result } from '../../base/result.ts';
import type { PursueOptions, RunHandle } from '../api/engine.ts';
import { missionFor, modelsNeeded, readPursuit } from '../api/pursuit.ts';
import { loadTemplate, startRun } from '../begin/start-run.ts';
import type { EngineParts } from '../drive/engine-parts.ts';
import { unreachableAmong } from '../load/unreachable-models.ts';
import { boundary } from '../ports/boundary.ts';

export async function pursueGoal(
  parts: EngineParts,
  goal: string,
  { attachments, kinds, sequential, askBelow, frame, planning, budget, capabilities, ...options }: PursueOptions = {},
): Promise<Result<RunHandle>> {
  if (goal.trim() === '') return bad([issue('INPUT_INVALID', 'the goal is empty', { hint: 'write what to do' })]);
  const pursuit = defined({ attachments, kinds, sequential, askBelow, frame, planning, budget });
  const template = await loadTemplate(parts, missionFor(pursuit), defined({ capabilities }));
  if (!template.ok) return template;
  if (options.replay === undefined) {
    const needed = modelsNeeded(template.value, readPursuit(template.value, goal));
    const missing = unreachableAmong(needed.models, boundary(parts.surroundings), parts.models);
    const issues = [...needed.issues, ...missing];
    if (issues.length > 0) return bad(issues);
  }
  return startRun(parts, template.value, { ...options, input: { goal } });
}
