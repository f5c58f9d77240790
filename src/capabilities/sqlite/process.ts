// The child process that runs SQL once; the parent kills it when the query takes too long.
import { readFileSync, writeSync } from 'node:fs';
import { runSql } from './run-sql.ts';
import type { SqlExecution, SqlQuery } from './sql-request.ts';

const question = JSON.parse(readFileSync(0, 'utf8')) as SqlQuery | SqlExecution;
const answer = Buffer.from(JSON.stringify(runSql(question)));
// A write to a pipe may be partial.
for (let from = 0; from < answer.length; ) from += writeSync(1, answer, from);
