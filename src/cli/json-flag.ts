// The flag that every command has: its answer for machines.
import type { Flag } from './command.ts';

export const jsonFlag: Flag = { name: '--json', description: 'Answer in JSON, on standard output.' };
