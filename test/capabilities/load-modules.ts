// Loads the modules named on the command line with Node alone, as in use, and prints what came of each as JSON.
import { loadModule } from '../../src/capabilities/module.ts';

const [folder = '.', ...paths] = process.argv.slice(2);
const loaded = [];
for (const path of paths) {
  const result = await loadModule(path, folder);
  loaded.push(result.ok ? { ok: true, names: result.value.map(({ declaration }) => declaration.name) } : result);
}
process.stdout.write(JSON.stringify(loaded));
