// Where the built page lies: in the package, or in a checkout, where it is built whenever it is older than the sources.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installation, isCheckout } from '../../capabilities/installation.ts';

const root = fileURLToPath(installation);

/** The folder with the page. `onBuild` is told before it is built. @throws Error when it cannot be built */
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
