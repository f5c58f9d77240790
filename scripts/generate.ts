// Writes the generated files that are committed: schemas, validators and blocks of pages. With --check it only lists stale files.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../src/base/json.ts';
import { eventSchema } from '../src/engine/record/event.schema.ts';
import { scenariosSchema } from '../src/template/schema/scenarios.ts';
import { fragmentSchema, templateSchema } from '../src/template/schema/template.ts';
import { answerModule } from './generate/answer-text.ts';
import { documentTypes } from './generate/document-types.ts';
import { priceTable } from './generate/prices.ts';
import { readmePicture } from './generate/readme-picture.ts';
import { storedOrderModule } from './generate/stored-orders.ts';
import { validatorModule, validatorTypes } from './generate/validators.ts';

const root = join(import.meta.dirname, '..');

/** Every generated file with its content. */
const generated: Readonly<Record<string, () => string | Promise<string>>> = {
  'schemas/template.schema.json': () => schemaText(templateSchema),
  'schemas/fragment.schema.json': () => schemaText(fragmentSchema),
  'schemas/scenarios.schema.json': () => schemaText(scenariosSchema),
  'schemas/event.schema.json': () => schemaText(eventSchema),
  'src/template/schema/generated-validators.js': validatorModule,
  'src/template/schema/generated-validators.d.ts': validatorTypes,
  'src/template/schema/generated-document.ts': documentTypes,
  'src/runtime/api/generated-stored-orders.ts': storedOrderModule,
  'src/llm/generated-prices.ts': priceTable,
  'src/cli/generated-answers.ts': answerModule,
  'docs/pictures/profile.svg': () => readmePicture(root),
};

const checking = process.argv.includes('--check');
let stale = 0;

for (const [path, make] of Object.entries(generated)) {
  const file = join(root, path);
  const wanted = await make();
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) continue;
  if (checking) {
    stale += 1;
    console.error(`${path} is not current: run "npm run generate"`);
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, wanted);
    console.log(`wrote ${path}`);
  }
}

if (stale > 0) process.exitCode = 1;

function schemaText(schema: JsonObject): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
