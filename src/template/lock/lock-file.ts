// The lock file: the tools of servers and the models that answered, as a person last accepted them.
import { type Digest, digestOf } from '../../base/digest.ts';
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import {
  canonicalJson,
  defined,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  ownProperty,
} from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { parseJson } from '../parse/parse-json.ts';
import type { DocumentTree } from '../parse/tree.ts';
import {
  type PartDigests,
  type ToolField,
  type ToolFingerprint,
  type ToolFingerprints,
  toolFields,
} from './tool-fingerprint.ts';
import { visibleJson } from './visible-text.ts';

export const LOCK_FILE = 'reconverge.lock';

const VERSION = 1;

export interface LockFile {
  /** Tools by the name of their server in the template. */
  readonly servers: Readonly<Record<string, ToolFingerprints>>;
  /** The model that answered, by the model name in the template. */
  readonly models: Readonly<Record<string, string>>;
}

export const emptyLock: LockFile = { servers: {}, models: {} };

export function lockedTools({ servers }: LockFile, server: string): ToolFingerprints | undefined {
  return Object.hasOwn(servers, server) ? servers[server] : undefined;
}

export function lockedModel({ models }: LockFile, model: string): string | undefined {
  return Object.hasOwn(models, model) ? models[model] : undefined;
}

/** The text of the file, sorted, so that equal tools give equal texts. */
export function lockText({ servers, models }: LockFile): string {
  const document: Json = {
    version: VERSION,
    models: mapped(models, (resolved) => ({ resolved })),
    servers: mapped(servers, (tools) => ({ tools: mapped(tools, writtenFingerprint) })),
  };
  return `${visibleJson(JSON.stringify(JSON.parse(canonicalJson(document)), null, 2))}\n`;
}

/** Issues: LOCK_UNREADABLE, LOCK_VERSION_UNKNOWN. `file` is the path to show. */
export function readLock(text: string, file: string): Result<LockFile> {
  const parsed = parseJson(text, file);
  const [fault] = parsed.issues;
  if (fault !== undefined || parsed.tree === undefined) return bad([unreadable(fault, isConflict(text))]);
  const { tree } = parsed;
  const version = ownProperty(tree.value, 'version');
  if (typeof version === 'number' && version > VERSION) return bad([tooNew(version, tree)]);
  const issues: Issue[] = [];
  const report = (message: string, path: readonly PathPart[]): void => {
    issues.push(issue('LOCK_UNREADABLE', message, { path, place: tree.placeOf(path), hint: ANEW }));
  };
  if (version !== VERSION) report(`"version" must be ${VERSION}`, ['version']);
  const lock: LockFile = {
    servers: mapOf(tree.value, ['servers'], report, (server, at) =>
      mapOf(server, [...at, 'tools'], report, (tool, path) => readFingerprint(tool, path, report)),
    ),
    models: mapOf(tree.value, ['models'], report, (model, path) => {
      const resolved = ownProperty(model, 'resolved');
      if (typeof resolved !== 'string') report('"resolved" must be the name of a model', [...path, 'resolved']);
      return String(resolved ?? '');
    }),
  };
  return issues.length === 0 ? good(lock) : bad(issues);
}

type ReportProblem = (message: string, path: readonly PathPart[]) => void;

/** Reads each value of the map under the last key of `path`. */
function mapOf<T>(
  holder: Json | undefined,
  path: readonly PathPart[],
  report: ReportProblem,
  read: (value: Json, path: readonly PathPart[]) => T,
): Readonly<Record<string, T>> {
  const key = String(path.at(-1));
  const map = ownProperty(holder, key);
  if (!isJsonObject(map)) {
    report(`"${key}" must be a map`, path);
    return {};
  }
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, read(value, [...path, name])]));
}

function readFingerprint(tool: Json, path: readonly PathPart[], report: ReportProblem): ToolFingerprint {
  const digests = mapOf(tool, [...path, 'digests'], report, (digest, at) => readDigest(digest, at, report));
  const parts = (field: 'input' | 'output'): PartDigests | undefined =>
    ownProperty(tool, field) === undefined
      ? undefined
      : mapOf(tool, [...path, field], report, (digest, at) => readDigest(digest, at, report));
  const title = textIn(ownProperty(tool, 'title'));
  const description = textIn(ownProperty(tool, 'description'));
  const annotations = ownProperty(tool, 'annotations');
  const [input, output] = [parts('input'), parts('output')];
  const print: ToolFingerprint = {
    digests: Object.fromEntries(toolFields.flatMap((field) => (digests[field] ? [[field, digests[field]]] : []))),
    ...defined({ title, description }),
    ...(isJsonObject(annotations) ? { annotations } : {}),
    ...defined({ input, output }),
  };
  for (const field of ['title', 'description', 'annotations'] as const) {
    const said = print[field];
    if (said !== undefined && digestOf(said) !== print.digests[field]) {
      report(`"${field}" does not match its digest: it was changed by hand`, [...path, field]);
    }
  }
  return print;
}

function readDigest(value: Json, path: readonly PathPart[], report: ReportProblem): Digest {
  if (typeof value !== 'string') report('a digest must be a text', path);
  return String(value);
}

/** Writes a text of several lines as a list, so that version control shows the changed lines. */
function writtenText(text: string): Json {
  return text.includes('\n') ? text.split('\n') : text;
}

function textIn(written: Json | undefined): string | undefined {
  if (typeof written === 'string') return written;
  return isJsonArray(written) ? written.map(String).join('\n') : undefined;
}

function writtenFingerprint({ title, description, ...rest }: ToolFingerprint): Json {
  return {
    ...defined({
      title: title === undefined ? undefined : writtenText(title),
      description: description === undefined ? undefined : writtenText(description),
    }),
    ...(rest satisfies { readonly digests: Readonly<Partial<Record<ToolField, Digest>>> }),
  };
}

function mapped<T>(map: Readonly<Record<string, T>>, write: (value: T) => Json): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, write(value)]));
}

const ANEW = 'restore it from version control, or delete it and write it again: reconverge lock';

function isConflict(text: string): boolean {
  return /^<{7} /m.test(text);
}

function unreadable(fault: Issue | undefined, conflict: boolean): Issue {
  const message = conflict
    ? `${LOCK_FILE} holds a merge conflict`
    : `${LOCK_FILE} cannot be read: ${fault?.message ?? 'it is empty'}`;
  const hint = conflict ? 'take either side, then run: reconverge lock --update' : ANEW;
  return issue('LOCK_UNREADABLE', message, { place: fault?.place, hint });
}

function tooNew(version: number, tree: DocumentTree): Issue {
  return issue('LOCK_VERSION_UNKNOWN', `${LOCK_FILE} has version ${version}, and this reconverge reads ${VERSION}`, {
    path: ['version'],
    place: tree.placeOf(['version']),
    hint: 'install the reconverge that wrote it, or a later one',
  });
}
