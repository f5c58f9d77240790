// The attachments of a step: fills in references, asks about missing files, and applies the answers.
import { type Failure, failure } from '../../base/failure.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { type Attachment, isAddress } from '../../template/keys/attachment.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Work } from '../record/call.ts';
import { valueIn } from '../record/stored-value.ts';
import type { ReadableRun } from '../state/run-view.ts';
import type { Step } from '../state/state.ts';
import { resolveValue } from './resolve-value.ts';

/** The prefix of answers about missing files; they are no part of the step's input. */
const ABOUT = 'attachment ';

export function isAboutAttachment(as: Json | undefined): boolean {
  return typeof as === 'string' && as.startsWith(ABOUT);
}

/** Whether an attachment may be a file. */
export function hasFiles({ attachments = [] }: StepSpec): boolean {
  return attachments.some(isFile);
}

function isFile({ kind, ref }: Attachment): boolean {
  return kind !== 'link' && !isAddress(ref);
}

const NO_ATTACHMENTS = good<readonly Attachment[]>([]);

/** The attachments as they are handed out, with people's corrections. */
export function attachmentsOf(run: ReadableRun, step: Step): Result<readonly Attachment[], Failure> {
  if (step.spec.attachments === undefined) return NO_ATTACHMENTS;
  const written = referredTo(run, step);
  return written.ok ? good(correctionsOf(run, step).reduce(correct, written.value)) : written;
}

/** The attachments as the step states them, references filled in. */
function referredTo(run: ReadableRun, step: Step): Result<readonly Attachment[], Failure> {
  const { attachments = [] } = step.spec;
  if (attachments.length === 0) return good(attachments);
  const resolved = resolveValue(
    run,
    step,
    attachments.map(({ ref }) => ref),
  );
  if (!resolved.ok) return resolved;
  const refs = isJsonArray(resolved.value) ? resolved.value : [];
  const strange = refs.findIndex((ref) => typeof ref !== 'string');
  if (strange < 0) return good(attachments.map((each, at) => ({ ...each, ref: String(refs[at]) })));
  const message = `attachment ${strange + 1} does not refer to anything by a text`;
  return bad(failure('ATTACHMENT_INVALID', message, { retry: 'never' }));
}

/** A missing file and its replacement. */
interface Correction {
  readonly missing: string;
  readonly meant: string;
}

/** The answers of people about missing files, in order. */
function correctionsOf({ values }: ReadableRun, { people }: Step): readonly Correction[] {
  const answers = (people?.answers ?? []).filter(({ as }) => isAboutAttachment(as));
  return answers.map(({ as, answer }) => ({
    missing: as.slice(ABOUT.length),
    meant: String(valueIn(answer, values) ?? '').trim(),
  }));
}

/** The input, with each text that names a missing file replaced by the correction. */
export function correctedInput(run: ReadableRun, step: Step, input: Json): Json {
  if (step.people === undefined) return input;
  const meant = new Map<string, string>();
  for (const each of correctionsOf(run, step)) {
    if (each.meant === '') continue;
    for (const [from, to] of meant) if (to === each.missing) meant.set(from, each.meant);
    meant.set(each.missing, each.meant);
  }
  return meant.size === 0 ? input : replaced(input, meant);
}

function replaced(value: Json, meant: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return meant.get(value) ?? value;
  if (isJsonArray(value)) return value.map((each) => replaced(each, meant));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, meant)] as const));
}

function correct(attachments: readonly Attachment[], { missing, meant }: Correction): readonly Attachment[] {
  return attachments.flatMap((each) => {
    if (each.ref !== missing || !isFile(each)) return [each];
    return meant === '' ? [] : [{ ...each, ref: meant }];
  });
}

type FileSearch =
  | { readonly kind: 'found'; readonly attachments: readonly Attachment[] }
  /** A person has to say what replaces the first missing file. */
  | { readonly kind: 'missing'; readonly question: JsonObject };

/** Looks for the files, and again after each answer, since the replacement may be missing too. */
export function* lookForFiles(run: ReadableRun, step: Step): Work<Result<FileSearch, Failure>> {
  const written = referredTo(run, step);
  if (!written.ok) return written;
  let attachments = written.value;
  const corrections = [...correctionsOf(run, step)];
  for (;;) {
    const paths = attachments.filter(isFile).map(({ ref }) => ref);
    if (paths.length === 0) return good({ kind: 'found', attachments });
    const looked = yield { kind: 'files', paths };
    if (!looked.ok) return looked;
    const missing = firstMissing(looked.value);
    if (missing === undefined) return good({ kind: 'found', attachments });
    const correction = corrections.shift();
    if (correction === undefined) return good({ kind: 'missing', question: questionAbout(missing) });
    attachments = correct(attachments, correction);
  }
}

interface Missing {
  readonly path: string;
  readonly why: string;
}

function firstMissing(looked: Json): Missing | undefined {
  const missing = ownProperty(looked, 'missing');
  const [first] = isJsonArray(missing) ? missing : [];
  const path = ownProperty(first, 'path');
  return typeof path === 'string'
    ? { path, why: String(ownProperty(first, 'why') ?? `"${path}" is not there`) }
    : undefined;
}

function questionAbout({ path, why }: Missing): JsonObject {
  const told = why.endsWith('?') ? why : `${why}.`;
  const question = `${told} Which file is meant? An empty answer goes on without it.`;
  return { question, answer: { type: 'string' }, as: `${ABOUT}${path}` };
}
