// The form for starting a template of the project, or for running a run again with other settings.
import { resolve } from 'node:path';
import { type Issue, issue } from '../../base/issue.ts';
import { defined, isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { limitText } from '../../budget/limit-text.ts';
import { type Exhaustible, limitKey } from '../../budget/limits.ts';
import { contractWords, fieldsOf, plain, wholeWords } from '../../contract/describe-contract.ts';
import { type Schema, typesOf, valuesOf } from '../../contract/schema.ts';
import { questionFor } from '../../goals/ask/question-for.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import { REDACTED } from '../../runtime/ports/redaction.ts';
import type { Template } from '../../template/template.ts';
import { storedValue } from '../../view/stored-value.ts';
import type { InputField, StartForm, TemplateList } from '../wire.schema.ts';

/** The templates that may be started from the page. */
export interface Project {
  readonly folder: string;
  /** Paths in the folder, read again with each request. */
  templates(): readonly string[];
  /** The text of a template's file; undefined if it cannot be read. */
  read(file: string): string | undefined;
}

export async function templateList(project: Project): Promise<TemplateList> {
  const { parse } = await import('yaml');
  const templates = project
    .templates()
    .map((file) => ({ file, ...headOf(project.read(file), (text) => parse(text, { logLevel: 'silent' })) }));
  return { templates };
}

function headOf(text: string | undefined, parse: (text: string) => unknown) {
  let document: unknown;
  try {
    document = text === undefined ? undefined : parse(text);
  } catch {
    return {};
  }
  const head = isJsonObject(document) ? document : {};
  const [name, description] = [head.name, head.description].map((each) =>
    typeof each === 'string' ? each : undefined,
  );
  return defined({ name, description });
}

/** Only templates of the project are started, however the file is written. */
export function projectFile(project: Project, file: string): Result<string> {
  if (project.templates().includes(file)) return good(file);
  return bad([notOfProject(`"${file}" is no template of this project`, project)]);
}

function notOfProject(message: string, project: Project): Issue {
  const known = project.templates();
  return issue('TEMPLATE_NOT_IN_PROJECT', message, {
    hint:
      known.length === 0
        ? 'put templates into the folder "templates"; reconverge init writes one'
        : `choose from ${known.join(', ')}, or start it at the command line: reconverge run FILE`,
  });
}

/** The file of the project that the template of a run came from. */
function fileOfRun({ state }: RunRecord, project: Project): Result<string> {
  const { template, folder } = state;
  const found = project.templates().find((file) => resolve(project.folder, file) === resolve(folder, template.file));
  if (found !== undefined) return good(found);
  return bad([
    notOfProject(`the template of run ${state.id}, "${template.file}", is no template of this project`, project),
  ]);
}

export interface StartPlace {
  readonly file: string | undefined;
  readonly run: string | undefined;
  readonly environment: string | undefined;
}

/** Issues: TEMPLATE_NOT_IN_PROJECT, those of the run, and those of the template. */
export async function startForm(engine: Engine, project: Project, place: StartPlace): Promise<Result<StartForm>> {
  const record = place.run === undefined ? undefined : engine.read(place.run);
  if (record?.ok === false) return record;
  const before = record?.value;
  const file = before === undefined ? projectFile(project, place.file ?? '') : fileOfRun(before, project);
  if (!file.ok) return file;
  const environment = place.environment ?? before?.state.template.environment;
  const template = await engine.load(file.value, { environment: environment === '' ? undefined : environment });
  if (!template.ok) return template;
  const input = before === undefined ? undefined : storedValue(before.state.input, before.blob);
  return good(await formOf(template.value, file.value, project, input));
}

async function formOf(template: Template, file: string, project: Project, input: Json | undefined): Promise<StartForm> {
  const { name, description, environment, input: contract, budget, models, steps } = template;
  const fields = contract === undefined ? [] : fieldsOf(contract).map((each) => fieldOf(each, input));
  const limits = Object.entries(budget.limit).flatMap(([of, limit]) =>
    limit === undefined ? [] : [{ key: limitKey(of as Exhaustible), limit: limitText(of, limit) }],
  );
  return {
    ...{ file, name, environments: await environmentsIn(project.read(file)), fields, limits },
    ...defined({
      description,
      environment,
      wanted: contract === undefined ? undefined : wholeWords(contract),
      value: input === undefined || fields.length > 0 ? undefined : textOf(input),
    }),
    models: Object.entries(models).map(([profile, { model }]) => ({ profile, model })),
    planners: steps.flatMap(({ name: step, planning }) =>
      planning ? [{ step, kind: planning.planner?.kind ?? 'none' }] : [],
    ),
  };
}

async function environmentsIn(text: string | undefined): Promise<readonly string[]> {
  const { parse } = await import('yaml');
  try {
    const named = ownProperty(parse(text ?? '', { logLevel: 'silent' }) as Json, 'environments');
    return isJsonObject(named) ? Object.keys(named) : [];
  } catch {
    return [];
  }
}

function fieldOf({ name, schema, required }: ReturnType<typeof fieldsOf>[number], input: Json | undefined): InputField {
  const before = ownProperty(input, name);
  const types = typesOf(schema);
  const choices = types.length === 1 && types[0] === 'boolean' ? ['yes', 'no'] : valuesOf(schema)?.map(plain);
  const value = before === undefined ? undefined : textOf(before);
  return {
    ...{ name, question: questionFor(name, schema), wanted: contractWords(schema), required },
    isLong: isLong(schema, value),
    ...defined({
      choices,
      default: schema.default === undefined ? undefined : textOf(schema.default),
      // A secret was never stored, so it has to be given again.
      value: value?.includes(REDACTED) ? undefined : value,
    }),
  };
}

const LONG = 80;

function isLong(schema: Schema, value: string | undefined): boolean {
  const types = typesOf(schema);
  return types.includes('array') || types.includes('object') || (value !== undefined && value.length > LONG);
}

function textOf(value: Json): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
