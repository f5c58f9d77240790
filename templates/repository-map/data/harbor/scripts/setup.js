import { execSync } from 'node:child_process';

const target = process.argv[2] ?? 'data';
execSync(`mkdir -p ${target}`);
