// The built-in catalog of capabilities.
import { type Capability, capabilityOf } from '../capability.ts';
import { csvAggregate, csvProfile, csvRead, csvSniff } from './csv.ts';
import { csvMatchKeys } from './csv-match-keys.ts';
import { dataAggregate, dataAssert, dataTransform, dataValidate } from './data.ts';
import { emitEvent } from './emit-event.ts';
import { filesList, filesRead, filesWrite } from './files.ts';
import { emitWebhook, httpDelete, httpDownload, httpGet, httpRequest } from './http.ts';
import { llmAsk, llmExtract } from './llm.ts';
import { persistAppend, persistDelete, persistEntries, persistGet, persistList, persistPut } from './persist.ts';
import { reportWrite } from './report-write.ts';
import { shellRun } from './shell-run.ts';
import { sqlExecute, sqlQuery } from './sql.ts';
import { jsonRead, textCount } from './text-files.ts';
import { waitUntil } from './wait-until.ts';

/** Granted by `capabilities: [catalog]`. */
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

/** Granted only to templates that name them. */
export const byNameOnly: readonly Capability[] = known([shellRun, llmAsk, llmExtract]);

/** Skips the check of each declaration at every start; a test checks them. */
function known(defined: readonly Capability[]): readonly Capability[] {
  return defined.map(({ declaration, run }) => capabilityOf(declaration, run));
}
