// The argument that names a step.
import type { Argument } from './command.ts';

export const stepArgument: Argument = { name: 'STEP', description: "The step's id, or the last part of it." };
