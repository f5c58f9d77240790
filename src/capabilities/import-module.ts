// Imports the capabilities that a TypeScript or JavaScript module exports into the thread that calls this.
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { findPackageJSON, registerHooks } from 'node:module';
import { basename, dirname, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Issue, issue } from '../base/issue.ts';
import { didYouMean } from '../base/nearest.ts';
import { bad, good, type Result } from '../base/result.ts';
import { type Capability, isCapability } from './capability.ts';
import { ownModule } from './installation.ts';
import { moduleIssue } from './module-issue.ts';

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs'];

/**
 * Every capability among the module's exports, also in lists; Node itself strips the types.
 * Issues: MODULE_NOT_FOUND, MODULE_EXTENSION_UNKNOWN, MODULE_WITHOUT_CAPABILITY and those of `moduleIssue`.
 * @param path as written, relative to `baseFolder`
 */
export async function importModule(path: string, baseFolder: string): Promise<Result<readonly Capability[]>> {
  const named = resolve(baseFolder, path);
  const refusal = await refusalOf(path, named);
  if (refusal !== undefined) return refusal;
  const file = await realpath(named);
  if (await isMarkedCommonJs(file)) return bad([notAModule(path)]);
  resolveOwnPackage();
  let capabilities: readonly Capability[];
  try {
    const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href);
    capabilities = [...new Set(Object.values(exported).flat())].filter(isCapability);
  } catch (thrown) {
    return bad([moduleIssue(thrown, path, file)]);
  }
  if (capabilities.length === 0) return withoutCapability(path);
  const issues = capabilities.flatMap((each) => each.issues);
  return issues.length > 0 ? bad(issues) : good(capabilities);
}

async function refusalOf(path: string, file: string): Promise<Result<never> | undefined> {
  const about = await stat(file).catch(() => undefined);
  if (about?.isFile() !== true) {
    const neighbours = await readdir(dirname(file)).catch(() => []);
    const modules = neighbours.filter((name) => EXTENSIONS.includes(extname(name)));
    const hint = didYouMean(basename(file), modules) ?? 'its path is relative to the template';
    return bad([issue('MODULE_NOT_FOUND', `there is no module at "${path}"`, { hint })]);
  }
  if (EXTENSIONS.includes(extname(file))) return undefined;
  const hint = `name a file that ends in ${EXTENSIONS.join(', ')}`;
  return bad([issue('MODULE_EXTENSION_UNKNOWN', `"${path}" is neither TypeScript nor JavaScript`, { hint })]);
}

function withoutCapability(path: string): Result<never> {
  const hint = "export const myCapability = defineCapability({ … }), from 'reconverge'";
  return bad([issue('MODULE_WITHOUT_CAPABILITY', `"${path}" exports no capability`, { hint })]);
}

/** Asked beforehand: Node would warn on standard error, with this machine's folders. */
async function isMarkedCommonJs(file: string): Promise<boolean> {
  if (!['.ts', '.js'].includes(extname(file)) || !/^\s*(import|export)\b/m.test(await readFile(file, 'utf8')))
    return false;
  const above = findPackageJSON(pathToFileURL(file));
  if (above === undefined) return false;
  try {
    const read: unknown = JSON.parse(await readFile(above, 'utf8'));
    return typeof read === 'object' && read !== null && 'type' in read && read.type === 'commonjs';
  } catch {
    return false;
  }
}

function notAModule(path: string): Issue {
  return issue(
    'MODULE_SYNTAX_INVALID',
    `the package.json above "${path}" makes it CommonJS, and so it may not import`,
    {
      hint: `name it "${path.replace(/\.([jt])s$/, '.m$1s')}", or set "type": "module" there`,
    },
  );
}

const PACKAGE = /^reconverge(?:\/([a-z-]+))?$/;

/** `reconverge` and its subpaths as this installation's files; undefined for any other module. */
function ownUrl(specifier: string): string | undefined {
  const match = PACKAGE.exec(specifier);
  if (match === null) return undefined;
  return ownModule(match[1] === undefined ? 'index' : `${match[1]}/index`).href;
}

let registered = false;

/** A second copy of the package would otherwise be loaded beside this one, or none be found at all. */
function resolveOwnPackage(): void {
  if (registered) return;
  registered = true;
  registerHooks({
    resolve: (specifier, context, nextResolve) => nextResolve(ownUrl(specifier) ?? specifier, context),
  });
}
