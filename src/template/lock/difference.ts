// Compares a lock file with the current tools and models: the changed fields of each, before and after.
import { counted } from '../../base/counted.ts';
import { type Digest, digestOf } from '../../base/digest.ts';
import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import {
  digestOfFingerprint,
  fieldOf,
  fingerprintOf,
  type PartDigests,
  partsOf,
  type ToolField,
  type ToolFingerprint,
  type ToolFingerprints,
  toolFields,
  toolsByName,
} from './tool-fingerprint.ts';
import { visibleText, visibleTexts } from './visible-text.ts';

/** `was` and `now` are absent when there was, or is, no value; `was` also when the lock file has only a digest. */
interface FieldDifference {
  /** For example `description`, `annotations.readOnlyHint`, `input.path`; `resolved` for a model. */
  readonly field: string;
  readonly how: 'added' | 'removed' | 'changed';
  readonly was?: Json;
  readonly now?: Json;
}

/** One tool or model that differs from the lock file. */
export interface LockDifference {
  /** `disk.read_file` for a tool, or the name of a model. */
  readonly name: string;
  readonly of: 'tool' | 'model';
  readonly how: 'added' | 'removed' | 'changed';
  readonly fields: readonly FieldDifference[];
  /** Identifies the current state of the tool or model. Accepting a difference accepts only this state. */
  readonly key: Digest;
}

/** Compares the tools of a server with the lock file; `locked` is undefined for a server without an entry. */
export function differencesOf(
  server: string,
  locked: ToolFingerprints | undefined,
  listed: readonly Json[],
): readonly LockDifference[] {
  const tools = toolsByName(listed);
  const gone = Object.keys(locked ?? {}).filter((name) => !tools.has(name));
  return [...new Set([...gone, ...tools.keys()])]
    .sort()
    .flatMap((name) => differenceOfTool(server, name, locked, tools.get(name)) ?? []);
}

/** `tool` is undefined when the server no longer lists the tool. */
export function differenceOfTool(
  server: string,
  name: string,
  locked: ToolFingerprints | undefined,
  tool: JsonObject | undefined,
): LockDifference | undefined {
  const known = locked !== undefined && Object.hasOwn(locked, name) ? locked[name] : undefined;
  if (known === undefined && tool === undefined) return undefined;
  const fields = fieldDifferences(known, tool);
  if (known !== undefined && tool !== undefined && fields.length === 0) return undefined;
  const state = tool === undefined ? null : digestOfFingerprint(fingerprintOf(tool));
  return {
    name: `${server}.${name}`,
    of: 'tool',
    how: known === undefined ? 'added' : tool === undefined ? 'removed' : 'changed',
    fields: tool === undefined ? [] : fields,
    key: digestOf([server, name, state]),
  };
}

/** `now` is the model that answered. */
export function differenceOfModel(name: string, was: string, now: string): LockDifference | undefined {
  if (was === now) return undefined;
  const fields: readonly FieldDifference[] = [{ field: 'resolved', how: 'changed', was, now }];
  return { name, of: 'model', how: 'changed', fields, key: digestOf(['model', name, now]) };
}

function fieldDifferences(
  known: ToolFingerprint | undefined,
  tool: JsonObject | undefined,
): readonly FieldDifference[] {
  if (tool === undefined) return [];
  const now = fingerprintOf(tool);
  return toolFields.flatMap((field) =>
    known?.digests[field] === now.digests[field] ? [] : differencesIn(field, known, tool),
  );
}

function differencesIn(
  field: ToolField,
  known: ToolFingerprint | undefined,
  tool: JsonObject,
): readonly FieldDifference[] {
  if (field === 'title' || field === 'description') return [whole(field, known, tool, known?.[field])];
  const now = fieldOf(tool, field);
  const parts =
    field === 'annotations'
      ? changedAnnotations(known?.annotations ?? {}, isJsonObject(now) ? now : {})
      : changedParts(field, known?.[field] ?? {}, partsOf(tool, field));
  if (parts.length > 0) return parts;
  return [whole(field, known, tool, field === 'annotations' ? known?.annotations : undefined)];
}

function whole(
  field: ToolField,
  known: ToolFingerprint | undefined,
  tool: JsonObject,
  was: Json | undefined,
): FieldDifference {
  const now = fieldOf(tool, field);
  const how = known?.digests[field] === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
  return { field, how, ...defined({ was, now }) };
}

function changedAnnotations(was: JsonObject, now: JsonObject): readonly FieldDifference[] {
  return namesIn(was, now).flatMap((name) => {
    const [before, after] = [ownProperty(was, name), ownProperty(now, name)];
    if (digestOf(before ?? null) === digestOf(after ?? null)) return [];
    return [partDifference('annotations', name, before, after)];
  });
}

function changedParts(field: ToolField, was: PartDigests, now: JsonObject): readonly FieldDifference[] {
  return namesIn(was, now).flatMap((name) => {
    const [before, after] = [ownProperty(was, name), ownProperty(now, name)];
    if (before === (after === undefined ? undefined : digestOf(after))) return [];
    const { was: _, ...difference } = partDifference(field, name, before, after);
    return [difference];
  });
}

function partDifference(field: ToolField, name: string, was: Json | undefined, now: Json | undefined): FieldDifference {
  const how = was === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
  return {
    field: `${field}.${name}`,
    how,
    ...defined({ was, now }),
  };
}

function namesIn(was: JsonObject, now: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(was), ...Object.keys(now)])].sort();
}

/** For example `disk.read_file (description, annotations.readOnlyHint)` or `disk.write_file (new)`. */
export function differenceText({ name, how, fields }: LockDifference): string {
  const parts = fields.map(({ field }) => field);
  const shown = parts.length > 3 ? [...parts.slice(0, 3), `${counted(parts.length - 3, 'more field')}`] : parts;
  return visibleText(
    `${name} (${how === 'added' ? 'new' : how === 'removed' ? 'not listed any more' : shown.join(', ')})`,
  );
}

/** For example `reconverge lock --update notify.yaml`; without a file for a template that a program made. */
export function lockCommand(flag: '--update' | '--check' | '', file: string): string {
  const words = ['reconverge lock', flag, /\.(?:ya?ml|json)$/.test(file) ? file : ''];
  return words.filter((word) => word !== '').join(' ');
}

const MOST_NAMED = 5;

/** For example `2 tools differ from reconverge.lock: …`. */
export function differencesText(differences: readonly LockDifference[]): string {
  const models = differences.filter(({ of }) => of === 'model').length;
  const tools = differences.length - models;
  const kinds = [...(tools === 0 ? [] : [counted(tools, 'tool')]), ...(models === 0 ? [] : [counted(models, 'model')])];
  const verb = differences.length === 1 ? 'differs from reconverge.lock' : 'differ from reconverge.lock';
  const named = differences.slice(0, MOST_NAMED).map(differenceText).join(', ');
  const rest = differences.length > MOST_NAMED ? ` and ${counted(differences.length - MOST_NAMED, 'other')}` : '';
  return `${kinds.join(' and ')} ${verb}: ${named}${rest}`;
}

/** Each tool or model with its fields, before and after. Invisible characters are escaped. */
export function differencesShown(differences: readonly LockDifference[]): JsonObject {
  return Object.fromEntries(
    differences.map(({ name, how, fields }): [string, Json] => [
      visibleText(name),
      how === 'removed'
        ? 'not listed any more'
        : Object.fromEntries(fields.map((each) => [visibleText(each.field), visibleTexts(shown(how, each))])),
    ]),
  );
}

function shown(how: LockDifference['how'], { how: change, was, now }: FieldDifference): Json {
  if (how === 'added') return now ?? null;
  const before = change === 'added' ? '(nothing)' : (was ?? '(only its digest is kept)');
  return { was: before, now: now ?? '(nothing)' };
}
