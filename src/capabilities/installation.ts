// Where this very installation lies: a checkout, whose sources run as they are, or the package, whose modules are bundled.

export const isCheckout = import.meta.url.endsWith('.ts');

/** The folder of package.json: two folders up from here in src/, and from where bundles lie in dist/. */
export const installation = new URL('../../', import.meta.url);

/** A module that is run or imported by its address, such as `cli/main`. */
export function ownModule(name: string): URL {
  return new URL(isCheckout ? `src/${name}.ts` : `dist/${name}.js`, installation);
}
