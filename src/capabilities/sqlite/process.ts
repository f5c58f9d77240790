// The child process that runs SQL once; the parent kills it when the query takes too long.
import { readFileSync, writeSync } from 'node:fs';
import { answerSql } from './run-sql.ts';
import type { Execution, Query } from './sql-request.ts';

const question = JSON.parse(readFileSync(0, 'utf8')) as Query | Execution;
const answer = Buffer.from(JSON.stringify(answerSql(question)));
// A write to a pipe may be partial.
for (let from = 0; from < answer.length; ) from += writeSync(1, answer, from);
