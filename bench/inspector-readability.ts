// Judges whether the names on the graph can be read, in a real Chromium, for stores of bench/inspector-runs.ts.
import { parseArgs } from 'node:util';
import { type Readability, readability } from '../test/inspector/readability/readability.ts';
import { isStill, latestRun, openAt, openChromium, serveStore, type Theme } from './runs/served-page.ts';
import { printTable } from './table.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    source: { type: 'string' },
    flaws: { type: 'boolean' },
    pictures: { type: 'string' },
    themes: { type: 'string', default: 'light,dark' },
    levels: { type: 'string', default: 'open,1,2,3' },
  },
});
if (positionals.length === 0) {
  console.error(
    'Usage: node bench/inspector-readability.ts STORE … [--flaws] [--source CHECKOUT] [--pictures FOLDER] [--levels open,1,2,3] [--themes light,dark]',
  );
  process.exit(2);
}

const GRAPH = '.canvas';
const browser = await openChromium();
const rows: (string | number)[][] = [];
for (const store of positionals) {
  const served = await serveStore(store, values.source);
  for (const theme of values.themes.split(',') as Theme[]) {
    const page = await openAt(
      browser,
      values.source === undefined ? `${served.url}#run=${await latestRun(store)}` : served.url,
      theme,
    );
    console.error('opened', page.url());
    await page
      .locator(`${GRAPH} [data-card], ${GRAPH} [data-phase]`)
      .first()
      .waitFor({ state: 'attached', timeout: 20_000 });
    for (const level of values.levels.split(',')) {
      if (level !== 'open') await page.keyboard.press(level);
      await isStill(page);
      const found = await readability(page, GRAPH);
      rows.push([store.replace(/.*\//, ''), theme, level, ...figures(found)]);
      if (values.flaws === true) tell(`${store} ${theme} ${level}`, found);
      if (values.pictures !== undefined)
        await page.screenshot({ path: `${values.pictures}/${store.replace(/.*\/|\.db$/g, '')}-${theme}-${level}.png` });
    }
    await page.context().close();
  }
  await served.close();
}
await browser.close();
printTable(
  'Readability of the graph',
  ['store', 'theme', 'level', 'labels', 'least px', 'least contrast', 'steps named', 'phases named', 'flaws'],
  rows,
);

function figures({ labels, leastSize, leastContrast, marks, steps, phases, flaws }: Readability): (string | number)[] {
  const share = (kind: 'step' | 'phase', named: ReadonlySet<string>): string => {
    const all = new Set(marks.filter((mark) => mark.kind === kind).map(({ id }) => id));
    return `${[...all].filter((id) => named.has(id)).length} of ${all.size}`;
  };
  return [labels, leastSize, leastContrast, share('step', steps), share('phase', phases), flaws.length];
}

function tell(where: string, { flaws }: Readability): void {
  const kinds = Map.groupBy(flaws, ({ what }) => what);
  for (const [what, all] of kinds) {
    console.log(`${where}: ${all.length} × ${what}`);
    for (const flaw of all.slice(0, 5)) console.log(`   ${flaw.where}: ${flaw.detail}`);
  }
}
