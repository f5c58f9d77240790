// How a run is named on the command line.
import type { Argument } from './command.ts';

export const runArgument: Argument = { name: 'RUN', description: "The run's id, a unique beginning of it, or latest." };
