// Recognizes an optional package that is not installed.

/** True when an import failed because this package is missing, and not one of its own dependencies. */
export function isPackageMissing(thrown: unknown, name: string): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown) || thrown.code !== 'ERR_MODULE_NOT_FOUND') return false;
  return thrown.message.includes(`Cannot find package '${name}'`);
}

/** @param what the part of a program that needs the packages, as the subject of a sentence */
export function missingText(what: string, ...packages: readonly string[]): string {
  const [one, ...more] = packages;
  const named = more.length === 0 ? `the package ${one}, which is not installed` : 'packages that are not installed';
  return `${what} needs ${named}; run "npm install ${packages.join(' ')}" in your project`;
}
