// Writes the generated references to docs/reference. The build, the site and the tests call it.
import { join } from 'node:path';
import { writeReferences } from './generate/references.ts';

const changed = await writeReferences(join(import.meta.dirname, '..'));
console.log(`docs/reference: ${changed} pages changed`);
