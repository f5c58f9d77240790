// Loads a template file with everything it names: included files, modules of capabilities, the catalog.
import { readFile, stat } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { type Issue, issue } from '../base/issue.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Capability } from '../capabilities/capability.ts';
import { catalog } from '../capabilities/catalog/catalog.ts';
import { loadModule } from '../capabilities/module.ts';
import { createRegistry, type Registry } from '../capabilities/registry.ts';
import { loadTemplate, readHead } from '../template/load.ts';
import type { Template } from '../template/template.ts';

export interface Loaded {
  readonly template: Template;
  readonly registry: Registry;
}
