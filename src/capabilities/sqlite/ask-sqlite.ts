// Runs SQL in a child process that ends with the step, so that no query can block the run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CapabilityError } from '../capability-error.ts';
import { errorFrom } from '../error-from.ts';
import { ownModule } from '../installation.ts';
import type { SqlAnswer, SqlChanges, SqlExecution, SqlQuery, SqlRows } from './sql-request.ts';

const program = fileURLToPath(ownModule('capabilities/sqlite/process'));
/** The memory of the child process. */
const HEAP_MB = 512;

/** @throws CapabilityError SQL_REFUSED, SQL_BUSY */
export function askSqlite(question: SqlQuery, signal: AbortSignal): Promise<SqlRows>;
export function askSqlite(question: SqlExecution, signal: AbortSignal): Promise<SqlChanges>;
export async function askSqlite(question: SqlQuery | SqlExecution, signal: AbortSignal): Promise<SqlRows | SqlChanges> {
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, '--no-warnings', program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
    signal,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(question));
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  const [code] = await once(child, 'close');
  if (code !== 0)
    throw new CapabilityError('SQL_REFUSED', 'the query needs more memory than it may take', { retry: 'never' });
  const answer = JSON.parse(Buffer.concat(pieces).toString()) as SqlAnswer;
  if (answer.ok) return answer.value;
  throw errorFrom(answer.error);
}
