// A brief as a planner of a small run would get it.
import type { Brief } from '../../src/planning/brief.ts';

export const brief: Brief = {
  planner: 'plan_recon',
  attempt: 1,
  goal: 'profile the files',
  input: { folder: 'data' },
  packet: { files: ['a.csv', 'b.csv', 'notes.txt'] },
  capabilities: [],
  bounds: { max_fragment_steps: 20, max_fragment_depth: 3, max_fan_out: 10, max_planning_depth: 2 },
  budget: { steps: 12 },
  target: 'finalize',
  converge: false,
  constraints: [],
};
