// Imports the capabilities of a TypeScript or JavaScript module into the current thread.
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
 * Finds every capability among the exports, also in exported lists. Node strips the types.
 * Issues: MODULE_WITHOUT_CAPABILITY, and those of `importExports`.
 * @param path as written, relative to `baseFolder`
 */
export async function importModule(path: string, baseFolder: string): Promise<Result<readonly Capability[]>> {
  const imported = await importExports(path, baseFolder, (exported) =>
    [...new Set(Object.values(exported).flat())].filter(isCapability),
  );
  if (!imported.ok) return imported;
  const capabilities = imported.value;
  if (capabilities.length === 0) return withoutCapability(path);
  const issues = capabilities.flatMap((each) => each.issues);
  return issues.length > 0 ? bad(issues) : good(capabilities);
}

/** Exports by name. To look at one may throw. */
type Exports = Readonly<Record<string, unknown>>;

/**
 * Imports a module. Issues: MODULE_NOT_FOUND, MODULE_EXTENSION_UNKNOWN and those of `moduleIssue`.
 * @param path as written, relative to `baseFolder`
 * @param read looks at the exports here, so that an error that they throw is explained as one of the module
 */
export async function importExports<T>(
  path: string,
  baseFolder: string,
  read: (exported: Exports) => T,
): Promise<Result<T>> {
  const named = resolve(baseFolder, path);
  const refusal = await refusalOf(path, named);
  if (refusal !== undefined) return refusal;
  const file = await realpath(named);
  if (await isMarkedCommonJs(file)) return bad([notAModule(path)]);
  resolveOwnPackage();
  try {
    const exported: Exports = await import(pathToFileURL(file).href);
    return good(read(exported));
  } catch (thrown) {
    return bad([moduleIssue(thrown, path, file)]);
  }
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

/** Checked before the import, because Node would print a warning with absolute paths. */
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

/** Maps `reconverge` and its subpaths to files of this installation; undefined for other modules. */
function ownUrl(specifier: string): string | undefined {
  const match = PACKAGE.exec(specifier);
  if (match === null) return undefined;
  return ownModule(match[1] === undefined ? 'index' : `${match[1]}/index`).href;
}

let registered = false;

/** Modules must get this installation; otherwise they load a second copy of the package, or find none. */
function resolveOwnPackage(): void {
  if (registered) return;
  registered = true;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const url = ownUrl(specifier);
      // Node's next resolver takes no address of a file where the module was named by `require`.
      return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true };
    },
  });
}
