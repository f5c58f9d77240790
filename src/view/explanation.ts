// Explains a template in words: its plan, its bound, the questions that it may ask, and what it may call and touch.
import { boundOf } from '../engine/bound/bound.ts';
import { landingCover } from '../engine/bound/landing-cover.ts';
import type { Template } from '../template/template.ts';
import { boundTable } from './budget/bound-table.ts';
import { landingCoverText } from './budget/landing-cover-text.ts';
import { type Line, span } from './line.ts';
import { planText } from './plan-text.ts';
import { table } from './table.ts';
import { templateGates, templateGatesText } from './template-gates.ts';

export function explanation(template: Template): readonly Line[] {
  const { name, description, environment } = template;
  return [
    [span(name, 'strong'), span(description === undefined ? '' : `: ${description}`)],
    ...(environment === undefined ? [] : [[span(`in the environment ${environment}`)]]),
    [],
    ...planText(template),
    [],
    ...limitsText(template),
  ];
}

/** The part of an explanation that says what a run may use, ask and touch. */
export function limitsText(template: Template): readonly Line[] {
  const { capabilities, roots } = template;
  const gates = templateGates(template);
  return [
    [span('A run of it uses this if nothing fails, and no run uses more than at worst:')],
    ...boundTable(boundOf(template)),
    ...landingCoverText(landingCover(template)),
    [],
    ...(gates.length === 0 ? [] : [[span('It may ask people:')], ...templateGatesText(gates), []]),
    [span('It may call:')],
    ...table(
      [{ title: 'capability' }, { title: 'effects' }, { title: '' }],
      Object.values(capabilities).map((each) => [
        span(each.name),
        span(each.effects.join(' ') || 'not checked'),
        span(each.description, 'dim'),
      ]),
    ),
    [span(roots.length === 0 ? 'It may touch no files.' : `It may touch files in: ${roots.join(', ')}`)],
  ];
}
