// Lets a user's module import 'reconverge' from wherever it lies and get this very installation, source or built.
import { registerHooks } from 'node:module';
import { ownModule } from './installation.ts';

const PACKAGE = /^reconverge(?:\/([a-z-]+))?$/;

/** `reconverge` and its subpaths as this installation's files; undefined for any other module. */
function ownUrl(specifier: string): string | undefined {
  const match = PACKAGE.exec(specifier);
  if (match === null) return undefined;
  return ownModule(match[1] === undefined ? 'index' : `${match[1]}/index`).href;
}

let registered = false;

/** A second copy of the package would otherwise be loaded beside this one, or none be found at all. */
export function resolveOwnPackage(): void {
  if (registered) return;
  registered = true;
  registerHooks({
    resolve: (specifier, context, nextResolve) => nextResolve(ownUrl(specifier) ?? specifier, context),
  });
}
