// The location of this installation: a checkout that runs from source, or the package with its bundles.

export const isCheckout = import.meta.url.endsWith('.ts');

/** The folder of package.json. It is two folders above this file in src/ and above the bundles in dist/. */
export const installation = new URL('../../', import.meta.url);

/** The address of a module such as `cli/main`, to run or import. */
export function ownModule(name: string): URL {
  return new URL(`../${name}.${isCheckout ? 'ts' : 'js'}`, import.meta.url);
}
