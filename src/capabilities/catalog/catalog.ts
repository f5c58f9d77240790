// The built-in catalog: what `capabilities: [catalog]` grants.
import { type Capability, capabilityOf } from '../capability.ts';
import { csvAggregate } from './csv-aggregate.ts';
import { csvMatchKeys } from './csv-match-keys.ts';
import { csvProfile } from './csv-profile.ts';
import { csvRead } from './csv-read.ts';
import { csvSniff } from './csv-sniff.ts';
import { dataAggregate } from './data-aggregate.ts';
import { dataAssert } from './data-assert.ts';
import { dataTransform } from './data-transform.ts';
import { dataValidate } from './data-validate.ts';
import { emitEvent } from './emit-event.ts';
import { emitWebhook } from './emit-webhook.ts';
import { filesList } from './files-list.ts';
import { filesRead } from './files-read.ts';
import { filesWrite } from './files-write.ts';
import { httpDelete } from './http-delete.ts';
import { httpDownload } from './http-download.ts';
import { httpGet } from './http-get.ts';
import { httpRequest } from './http-request.ts';
import { jsonRead } from './json-read.ts';
import { llmAsk } from './llm-ask.ts';
import { llmExtract } from './llm-extract.ts';
import { persistAppend } from './persist-append.ts';
import { persistDelete } from './persist-delete.ts';
import { persistEntries } from './persist-entries.ts';
import { persistGet } from './persist-get.ts';
import { persistList } from './persist-list.ts';
import { persistPut } from './persist-put.ts';
import { reportWrite } from './report-write.ts';
import { shellRun } from './shell-run.ts';
import { sqlExecute } from './sql-execute.ts';
import { sqlQuery } from './sql-query.ts';
import { textCount } from './text-count.ts';
import { waitUntil } from './wait-until.ts';

/** What `capabilities: [catalog]` grants. */
export const catalog: readonly Capability[] = known([
  filesList,
  filesRead,
  filesWrite,
  csvSniff,
  csvRead,
  csvAggregate,
  csvProfile,
  csvMatchKeys,
  jsonRead,
  textCount,
  dataTransform,
  dataAggregate,
  dataValidate,
  dataAssert,
  sqlQuery,
  sqlExecute,
  persistPut,
  persistGet,
  persistList,
  persistAppend,
  persistEntries,
  persistDelete,
  httpGet,
  httpDownload,
  httpRequest,
  httpDelete,
  emitEvent,
  emitWebhook,
  reportWrite,
  waitUntil,
]);

/** What a template is granted only by naming it. */
export const byNameOnly: readonly Capability[] = known([shellRun, llmAsk, llmExtract]);

/** Without asking each for its issues: a test has. */
function known(defined: readonly Capability[]): readonly Capability[] {
  return defined.map(({ declaration, run }) => capabilityOf(declaration, run));
}
