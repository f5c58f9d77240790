// The `--json` flag, which every command has.
import type { Flag } from './command.ts';

export const jsonFlag: Flag = { name: '--json', description: 'Answer in JSON, on standard output.' };
