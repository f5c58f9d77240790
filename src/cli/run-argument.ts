// The argument that names a run.
import type { Argument } from './command.ts';

export const runArgument: Argument = { name: 'RUN', description: "The run's id, a unique beginning of it, or latest." };
