// The built-in catalog: what `capabilities: [catalog]` grants.
import type { Capability } from '../capability.ts';
import { csvAggregate } from './csv-aggregate.ts';
import { csvMatchKeys } from './csv-match-keys.ts';
import { csvProfile } from './csv-profile.ts';
import { csvRead } from './csv-read.ts';
import { csvSniff } from './csv-sniff.ts';
import { dataAggregate } from './data-aggregate.ts';
import { dataTransform } from './data-transform.ts';
import { filesList } from './files-list.ts';
import { filesRead } from './files-read.ts';
import { jsonRead } from './json-read.ts';
import { reportWrite } from './report-write.ts';
import { textCount } from './text-count.ts';

export const catalog: readonly Capability[] = [
  filesList,
  filesRead,
  csvSniff,
  csvRead,
  csvAggregate,
  csvProfile,
  csvMatchKeys,
  jsonRead,
  textCount,
  dataTransform,
  dataAggregate,
  reportWrite,
];
