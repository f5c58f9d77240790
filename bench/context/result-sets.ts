// The recorded results, each with a contract that gives its shape without annotations.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../src/base/json.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const flag = { type: 'boolean' };
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
const map = (properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const table = (each: JsonObject): JsonObject => ({ type: 'object', additionalProperties: each });
const either = (...types: readonly string[]): JsonObject => ({ type: types });

const person = map({ login: text, id: number }, ['login']);
const column = map({ name: text, type: text, nulls: number, distinct: number }, ['name', 'type']);

const contracts: Readonly<Record<string, JsonObject>> = {
  issues: list(
    map(
      {
        number,
        title: text,
        state: { enum: ['open', 'closed'] },
        labels: list(text),
        assignee: { anyOf: [person, { type: 'null' }] },
        user: person,
        comments: number,
        locked: flag,
        created_at: text,
        closed_at: either('string', 'null'),
        body: text,
      },
      ['number', 'title', 'state'],
    ),
  ),
  logs: map({
    file: text,
    lines: number,
    malformed: number,
    entries: list(
      map({
        ts: text,
        level: text,
        service: text,
        message: text,
        request_id: text,
        status: number,
        duration_ms: number,
      }),
    ),
  }),
  profile: map({
    tables: list(map({ file: text, rows: number, delimiter: text, columns: list(column) })),
    warnings: list(text),
  }),
  files: map({
    root: text,
    count: number,
    skipped: list(text),
    files: list(map({ path: text, bytes: number, kind: text, modified: text })),
  }),
  payments: map({
    object: text,
    has_more: flag,
    data: list(
      map(
        {
          id: text,
          amount: number,
          fee: number,
          currency: text,
          status: text,
          created: text,
          order: either('string', 'null'),
        },
        ['id', 'amount', 'currency', 'status'],
      ),
    ),
  }),
  deployment: map({
    environment: text,
    cluster: map({ name: text, version: text, nodes: number }),
    database: map({ engine: text, version: text }),
    ingress: map({ host: text, tls: flag }),
    services: table(
      map({ image: text, replicas: number, resources: map({ cpu: text, memory: text }), env: table(text) }),
    ),
    flags: table(flag),
    secrets: list(text),
  }),
  pages: map({
    query: text,
    total_hits: number,
    results: list(map({ title: text, url: text, score: number, published: text, text }, ['title', 'url', 'text'])),
  }),
  'test-report': map({
    tool: text,
    commit: text,
    totals: map({ suites: number, tests: number, failed: number, skipped: number }),
    suites: list(
      map({
        suite: text,
        file: text,
        cases: list(
          map({ name: text, status: { enum: ['passed', 'failed', 'skipped'] }, seconds: number, message: text }, [
            'name',
            'status',
          ]),
        ),
      }),
    ),
  }),
  metrics: map({
    from: text,
    to: text,
    step: text,
    hosts: table(
      map({ zone: text, up: flag, disk_percent: number, memory_gb: number, cpu_percent: list(number), kernel: text }),
    ),
  }),
  schema: map({
    database: text,
    engine: text,
    tables: list(
      map(
        {
          name: text,
          rows: number,
          primary_key: either('string', 'null'),
          columns: list(map({ name: text, type: text, nullable: flag })),
          foreign_keys: list(text),
        },
        ['name', 'columns'],
      ),
    ),
  }),
};

/** Contracts of results that were added, with their questions, after the shrinker was finished. */
const heldOut: Readonly<Record<string, JsonObject>> = {
  commits: map({
    branch: text,
    truncated: flag,
    commits: list(
      map({
        sha: text,
        author: text,
        date: text,
        subject: text,
        merge: flag,
        files: list(map({ path: text, added: number, deleted: number })),
      }),
    ),
  }),
  pods: map({
    kind: text,
    items: list(
      map({
        metadata: map({ name: text, namespace: text }),
        spec: map({ node: text }),
        status: map(
          { phase: text, containers: list(map({ name: text, ready: flag, restarts: number, image: text })) },
          ['phase'],
        ),
      }),
    ),
  }),
  statement: map({ path: text, encoding: text, text }),
};

export interface ResultSet {
  readonly name: string;
  /** Added, with its questions, after the shrinker was finished. */
  readonly heldOut: boolean;
  readonly value: Json;
  readonly contract: JsonObject;
}

export const resultSets: readonly ResultSet[] = Object.entries({ ...contracts, ...heldOut }).map(
  ([name, contract]) => ({
    name,
    heldOut: Object.hasOwn(heldOut, name),
    value: JSON.parse(readFileSync(join(import.meta.dirname, 'results', `${name}.json`), 'utf8')),
    contract,
  }),
);
