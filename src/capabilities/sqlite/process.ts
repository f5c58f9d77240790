// A process of its own that asks a SQLite file once: what it is asked may take for ever, and then it is killed.
import { readFileSync, writeSync } from 'node:fs';
import { answerSql } from './answer.ts';
import type { Execution, Query } from './question.ts';

const question = JSON.parse(readFileSync(0, 'utf8')) as Query | Execution;
const answer = Buffer.from(JSON.stringify(answerSql(question)));
// A pipe takes what it has room for.
for (let from = 0; from < answer.length; ) from += writeSync(1, answer, from);
