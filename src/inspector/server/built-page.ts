// Finds the built page: in the package, or in a checkout, where the page is rebuilt when it is older than the sources.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installation, isCheckout } from '../../capabilities/installation.ts';

const root = fileURLToPath(installation);

/** Returns the page's folder. `onBuild` is called before a build. @throws Error when the build fails */
export async function builtPage(onBuild: () => void): Promise<string> {
  const folder = join(root, 'dist-ui');
  if (!isCheckout || isCurrent(folder)) return folder;
  onBuild();
  const building = spawn(process.execPath, [join(root, 'scripts/build-page.ts')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  building.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(building, 'close');
  if (code !== 0) throw new Error(`the page of the inspector cannot be built: ${said.trim()}`);
  return folder;
}

function isCurrent(folder: string): boolean {
  const built = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return false;
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true });
  return sources.every((entry) => !entry.isFile() || statSync(join(entry.parentPath, entry.name)).mtimeMs <= built);
}
