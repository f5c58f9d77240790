// Generates the result sets for the questions, deterministically, into results/ as JSON.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const chance = seeded(20_261_121);
const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T;
const whole = (least: number, most: number): number => least + Math.floor(chance() * (most - least + 1));
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const iso = (day: number, second = 0): string => new Date(Date.UTC(2026, 0, 1 + day) + second * 1_000).toISOString();
const hex = (digits: number): string => times(digits, () => '0123456789abcdef'[whole(0, 15)]).join('');

const verbs = ['crashes', 'hangs', 'loses rows', 'ignores the setting', 'leaks memory', 'shows the wrong total'];
const parts = ['importer', 'scheduler', 'login page', 'CSV export', 'webhook', 'search index', 'invoice view', 'cache'];
const causes = [
  'after an upgrade',
  'on large files',
  'when two users edit',
  'behind a proxy',
  'in Safari',
  'at midnight',
];
const people = ['amara', 'bjorn', 'chen', 'dalia', 'emeka', 'farid', 'greta', 'hiro', 'ines'];
const sentence = (): string => `The ${pick(parts)} ${pick(verbs)} ${pick(causes)}.`;
const prose = (sentences: number): string => times(sentences, sentence).join(' ');

/** A page of an issue tracker's API. */
function issues() {
  return times(110, (at) => {
    const closed = chance() < 0.32;
    const day = 300 - at * 2 - whole(0, 1);
    return {
      number: 1_420 - at,
      title: `${pick(parts)} ${pick(verbs)} ${pick(causes)}`,
      state: closed ? 'closed' : 'open',
      labels:
        at === 41 || at === 77 ? ['security', 'bug'] : pick([['bug'], ['bug', 'triage'], ['feature'], ['docs'], []]),
      assignee: chance() < 0.55 ? null : { login: pick(people), id: whole(1_000, 9_999) },
      user: { login: pick(people), id: whole(1_000, 9_999), type: 'User' },
      comments: at === 63 ? 214 : whole(0, 9),
      locked: at === 90,
      created_at: iso(day, whole(0, 80_000)),
      closed_at: closed ? iso(day + whole(1, 20)) : null,
      body: prose(whole(1, 3)),
    };
  });
}

/** Parsed lines of a service's log. */
function logs() {
  const services = ['gateway', 'billing', 'search', 'auth', 'mailer'];
  const entries = times(380, (at) => {
    const second = at * 11 + whole(0, 9);
    const base = { ts: iso(200, second), service: pick(services), request_id: `req-${hex(8)}` };
    if ([207, 208, 209, 214, 221].includes(at)) {
      return {
        ...base,
        service: 'billing',
        level: 'error',
        status: 503,
        duration_ms: whole(5_000, 5_400),
        message: 'connection pool exhausted: 40 of 40 in use',
      };
    }
    if (at === 298)
      return {
        ...base,
        service: 'auth',
        level: 'error',
        status: 500,
        duration_ms: 31,
        message: 'signing key kid=2025-11 not found',
      };
    if (at === 122)
      return {
        ...base,
        service: 'search',
        level: 'warn',
        status: 200,
        duration_ms: 48_211,
        message: 'slow query: full scan of products',
      };
    const warn = chance() < 0.05;
    return {
      ...base,
      level: warn ? 'warn' : 'info',
      status: warn ? 429 : pick([200, 200, 200, 201, 204, 304]),
      duration_ms: whole(2, 180),
      message: warn
        ? 'rate limit reached for client'
        : pick(['request served', 'cache hit', 'token renewed', 'message queued']),
    };
  });
  return { file: 'logs/2026-07-20.jsonl', lines: 380, malformed: 2, entries };
}

/** Profiles of four tables, column by column. */
function profile() {
  const column = (name: string, type: string, rows: number, more: object = {}) => ({
    name,
    type,
    nulls: 0,
    distinct: Math.min(rows, whole(2, rows)),
    ...more,
    histogram: times(10, () => whole(0, Math.ceil(rows / 10))),
    examples: times(4, () =>
      type === 'integer'
        ? whole(0, 90_000)
        : type === 'date'
          ? iso(whole(0, 300)).slice(0, 10)
          : `${pick(parts)} ${whole(1, 999)}`,
    ),
  });
  const table = (name: string, rows: number, columns: object[]) => ({
    file: `data/${name}.csv`,
    rows,
    delimiter: ',',
    columns,
  });
  const R = 48_210;
  return {
    tables: [
      table('orders', R, [
        column('order_id', 'integer', R, { distinct: R, min: 100_001, max: 148_210 }),
        column('customer_id', 'integer', R, { distinct: 9_112, min: 1, max: 9_340 }),
        column('placed_at', 'date', R, { distinct: 365, min: '2025-01-01', max: '2025-12-31' }),
        column('status', 'string', R, {
          distinct: 5,
          top: [
            ['shipped', 39_120],
            ['open', 5_014],
            ['cancelled', 3_001],
            ['returned', 1_002],
            ['lost', 73],
          ],
        }),
        column('total_cents', 'integer', R, { distinct: 20_411, min: -4_500, max: 1_899_900 }),
        column('currency', 'string', R, {
          distinct: 3,
          top: [
            ['EUR', 40_001],
            ['CHF', 6_109],
            ['GBP', 2_100],
          ],
        }),
        column('discount_code', 'string', R, { nulls: 31_877, distinct: 44 }),
        column('warehouse', 'string', R, {
          distinct: 4,
          top: [
            ['AMS', 20_000],
            ['ZRH', 15_210],
            ['LHR', 13_000],
          ],
        }),
        column('weight_g', 'integer', R, { nulls: 112, distinct: 8_100, min: 0, max: 64_000 }),
        column('notes', 'string', R, { nulls: 47_002, distinct: 1_198 }),
      ]),
      table('customers', 9_340, [
        column('customer_id', 'integer', 9_340, { distinct: 9_340, min: 1, max: 9_340 }),
        column('email', 'string', 9_340, { distinct: 9_328, nulls: 0 }),
        column('country', 'string', 9_340, {
          distinct: 12,
          top: [
            ['NL', 4_100],
            ['CH', 2_200],
            ['GB', 1_700],
          ],
        }),
        column('born', 'date', 9_340, { nulls: 2_210, distinct: 6_001, min: '1931-02-11', max: '2025-09-01' }),
        column('marketing', 'boolean', 9_340, {
          distinct: 2,
          top: [
            ['false', 7_004],
            ['true', 2_336],
          ],
        }),
        column('vat_number', 'string', 9_340, { nulls: 8_804, distinct: 536 }),
        column('created_at', 'date', 9_340, { distinct: 2_204, min: '2019-03-04', max: '2025-12-30' }),
      ]),
      table('products', 412, [
        column('sku', 'string', 412, { distinct: 412 }),
        column('name', 'string', 412, { distinct: 409 }),
        column('price_cents', 'integer', 412, { min: 0, max: 219_900 }),
        column('category', 'string', 412, {
          distinct: 9,
          top: [
            ['kitchen', 120],
            ['garden', 88],
            ['lighting', 61],
          ],
        }),
        column('discontinued', 'boolean', 412, {
          distinct: 2,
          top: [
            ['false', 377],
            ['true', 35],
          ],
        }),
        column('stock', 'integer', 412, { nulls: 7, min: -3, max: 9_000 }),
      ]),
      {
        ...table('returns', 1_002, [
          column('order_id', 'integer', 1_002, { distinct: 998, min: 100_233, max: 151_007 }),
          column('reason', 'string', 1_002, {
            distinct: 6,
            top: [
              ['damaged', 410],
              ['late', 300],
              ['wrong item', 180],
            ],
          }),
          column('refunded_at', 'date', 1_002, { nulls: 61, min: '2025-01-09', max: '2026-01-17' }),
        ]),
        delimiter: ';',
      },
      ...times(9, (at) =>
        table(`log_${2_016 + at}`, whole(9_000, 40_000), [
          column('id', 'integer', 9_000),
          ...times(9, (c) =>
            column(`${pick(['attr', 'flag', 'ref', 'score'])}_${c}`, pick(['string', 'integer', 'date']), 9_000, {
              nulls: whole(0, 900),
            }),
          ),
        ]),
      ),
    ],
    warnings: [
      'returns.order_id has 14 values that orders.order_id does not have',
      'products.stock has negative values',
    ],
  };
}

/** A folder, as a listing capability returns it. */
function files() {
  const kinds = [
    ['src', 'ts'],
    ['src', 'ts'],
    ['test', 'ts'],
    ['docs', 'md'],
    ['data', 'csv'],
    ['data', 'json'],
  ] as const;
  const list = times(240, (at) => {
    const [folder, kind] = pick(kinds);
    return {
      path: `${folder}/${pick(parts).replaceAll(' ', '-').toLowerCase()}/${pick(people)}-${at}.${kind}`,
      bytes: whole(300, 24_000),
      kind,
      modified: iso(whole(20, 240)).slice(0, 10),
    };
  });
  list[57] = {
    path: 'data/exports/ledger-2025.parquet',
    bytes: 412_889_004,
    kind: 'parquet' as 'csv',
    modified: '2025-12-31',
  };
  list[133] = { path: 'src/legacy/invoice.php', bytes: 90_112, kind: 'php' as 'ts', modified: '2014-06-02' };
  list[180] = { path: 'docs/EMPTY.md', bytes: 0, kind: 'md', modified: '2026-03-01' };
  return { root: '/work/shop', count: list.length, skipped: ['node_modules', '.git'], files: list };
}

/** Payments of a gateway, joined from pages. */
function payments() {
  const list = times(170, (at) => {
    const currency = pick(['eur', 'eur', 'eur', 'chf', 'gbp']);
    const amount = whole(900, 24_900);
    return {
      id: `pay_${hex(12)}`,
      object: 'payment',
      amount: at === 31 ? 1_299_900 : at === 144 ? -5_000 : amount,
      fee: at === 31 ? 18_199 : Math.round(amount * 0.014) + 25,
      currency: at === 99 ? 'jpy' : currency,
      status: at === 88 ? 'disputed' : chance() < 0.06 ? 'refunded' : 'succeeded',
      created: iso(210 + Math.floor(at / 6), whole(0, 80_000)),
      customer: { id: `cus_${hex(8)}`, country: pick(['NL', 'CH', 'GB', 'DE']) },
      order: at === 12 ? null : `ord-${20_000 + at}`,
      livemode: true,
    };
  });
  return { object: 'list', has_more: false, data: list };
}

/** Deployments as nested maps by service name. */
function deployment() {
  const names = [
    'gateway',
    'billing',
    'search',
    'auth',
    'mailer',
    'ledger',
    'reports',
    'catalog',
    'pricing',
    'stock',
    'shipping',
    'returns',
    'reviews',
    'images',
    'events',
    'audit',
    'exports',
    'imports',
    'alerts',
    'jobs',
    'profiles',
    'sessions',
    'coupons',
    'taxes',
    'labels',
    'maps',
    'chat',
    'feeds',
  ];
  const service = (name: string) => ({
    image: `registry.example/${name}:${name === 'mailer' ? 'latest' : `4.${whole(0, 9)}.${whole(0, 20)}`}`,
    replicas: name === 'search' ? 0 : name === 'gateway' ? 12 : whole(2, 4),
    resources: { cpu: `${whole(1, 4) * 250}m`, memory: name === 'ledger' ? '16Gi' : `${pick([256, 512, 1024])}Mi` },
    env: {
      LOG_LEVEL: name === 'pricing' ? 'debug' : 'info',
      REGION: 'eu-west-1',
      DB_HOST: 'db.internal',
      TIMEOUT_MS: String(whole(2, 9) * 1_000),
    },
    ports: [8_080],
    public: name === 'gateway' || name === 'images',
  });
  names.push(...times(62, (at) => `worker_${people[at % 9]}_${at}`));
  const flags = Object.fromEntries(
    times(36, (at) => [`flag_${people[at % 9]}_${at}`, at === 4 || at === 17 || at === 30]),
  );
  return {
    environment: 'production',
    cluster: { name: 'eu-prod-2', version: '1.31.4', nodes: 18 },
    database: { engine: 'postgresql', version: '16.4', storage: '2Ti', standby: false },
    ingress: { host: 'shop.example', tls: true, certificate_expires: '2026-08-02' },
    services: Object.fromEntries(names.map((name) => [name, service(name)])),
    flags,
    secrets: ['GATEWAY_KEY', 'MAIL_PASSWORD', 'LEDGER_TOKEN'],
  };
}

/** Pages of a web search, with their text. */
function pages() {
  const page = (title: string, host: string, first: string, last: string, score: number) => ({
    title,
    url: `https://${host}/${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`,
    score,
    published: iso(whole(0, 150)).slice(0, 10),
    text: `${first} ${prose(whole(90, 160))} ${last}`,
  });
  return {
    query: 'payments API v2 retirement date',
    total_hits: 18_400,
    results: [
      page(
        'Payments API v2 is retired on 2027-03-31',
        'developer.gateway.example',
        'Version 2 of the payments API stops answering on 31 March 2027.',
        'Write to api-support@gateway.example for an extension of at most 90 days.',
        0.97,
      ),
      page(
        'Moving to v3 in an afternoon',
        'blog.shopdev.example',
        'The move took us four hours, most of it for the new idempotency header.',
        'In hindsight we would have migrated refunds first.',
        0.91,
      ),
      page(
        'Changelog',
        'developer.gateway.example',
        'v3.4 adds partial captures and drops the field source_type.',
        'v3.0 was released on 2025-02-11.',
        0.88,
      ),
      page(
        'Is v2 still supported?',
        'forum.gateway.example',
        'Staff say that v2 gets security fixes only.',
        'The thread was closed by a moderator.',
        0.83,
      ),
      page(
        'Rate limits',
        'developer.gateway.example',
        'v3 allows 100 requests a second for each key, v2 allowed 25.',
        'Bursts of twice the limit are allowed for ten seconds.',
        0.74,
      ),
      page(
        'Webhooks in v3',
        'developer.gateway.example',
        'Webhook signatures use SHA-256 and expire after five minutes.',
        'The old signature header is sent until the retirement of v2.',
        0.71,
      ),
      page(
        'Ten gateways compared',
        'fintech.example',
        'We compared fees of ten gateways for small shops.',
        'Fees were checked in October 2025.',
        0.4,
      ),
      page('Cake recipes', 'kitchen.example', 'Beat the eggs with the sugar.', 'Bake for forty minutes.', 0.02),
    ],
  };
}

/** A test run with suites and cases. */
function testReport() {
  const names = [
    'cart',
    'checkout',
    'login',
    'ledger',
    'refunds',
    'search',
    'emails',
    'invoices',
    'stock',
    'api',
    'admin',
    'exports',
  ];
  const failing: Record<string, Record<number, string>> = {
    refunds: { 7: 'expected 4999 to equal 5000', 8: 'expected 199 to equal 200' },
    exports: { 3: 'timeout of 5000ms exceeded' },
    search: { 11: "Cannot read properties of undefined (reading 'hits')" },
  };
  const suites = names.map((name) => {
    const cases = times(whole(28, 44), (at) => {
      const message = failing[name]?.[at];
      const skipped = name === 'admin' && at < 6;
      const seconds = message?.startsWith('timeout')
        ? 5.003
        : name === 'ledger' && at === 2
          ? 41.7
          : whole(1, 400) / 1_000;
      return {
        name: `${name} ${pick(verbs)} ${pick(causes)} #${at}`
          .replace('crashes', 'survives')
          .replace('hangs', 'answers'),
        status: message === undefined ? (skipped ? 'skipped' : 'passed') : 'failed',
        seconds,
        ...(message === undefined ? {} : { message }),
      };
    });
    return { suite: name, file: `test/${name}.test.ts`, cases };
  });
  const all = suites.flatMap(({ cases }) => cases);
  const of = (status: string) => all.filter((each) => each.status === status).length;
  return {
    tool: 'vitest 5.1.0',
    commit: hex(10),
    totals: { suites: suites.length, tests: all.length, failed: of('failed'), skipped: of('skipped') },
    suites,
  };
}

/** Readings of machines by name. */
function metrics() {
  return {
    from: iso(220),
    to: iso(221),
    step: '1h',
    hosts: Object.fromEntries(
      times(150, (at) => [
        `node-${String(at).padStart(3, '0')}`,
        {
          zone: ['a', 'b', 'c'][at % 3],
          up: at !== 29,
          disk_percent: at === 17 ? 97 : whole(31, 58),
          memory_gb: at === 40 ? 512 : 64,
          cpu_percent: times(24, () => (at === 5 ? whole(88, 99) : at === 29 ? 0 : whole(8, 35))),
          kernel: at === 33 ? '5.4.0-42' : '6.8.0-90',
        },
      ]),
    ),
  };
}

/** Tables of a database, as an introspection returns them. */
function schema() {
  const names = [
    'orders',
    'order_lines',
    'customers',
    'addresses',
    'products',
    'prices',
    'stock_moves',
    'payments',
    'refunds',
    'invoices',
    'invoice_lines',
    'coupons',
    'reviews',
    'sessions',
    'audit_log',
    'emails',
    'webhooks',
    'jobs',
    'settings',
    'translations',
    'countries',
    'tax_rates',
    'shipments',
    'carriers',
    'returns',
    'tmp_import_2023',
  ];
  const all = [
    ...names,
    ...times(
      64,
      (at) =>
        `${pick(names.slice(0, 25))}_archive_${2_010 + (at % 16)}_${String.fromCharCode(97 + Math.floor(at / 16))}`,
    ),
  ];
  const tables = all.map((name) => ({
    name,
    rows: name === 'audit_log' ? 88_412_006 : name === 'tmp_import_2023' ? 0 : whole(40, 90_000),
    primary_key: name === 'tmp_import_2023' ? null : 'id',
    columns: [
      ...(name === 'tmp_import_2023' ? [] : [{ name: 'id', type: 'bigint', nullable: false }]),
      ...times(whole(3, 6), (at) => ({
        name: `${pick(['name', 'code', 'state', 'amount', 'note', 'at'])}_${at}`,
        type: pick(['text', 'numeric(12,2)', 'timestamptz', 'boolean']),
        nullable: chance() < 0.4,
      })),
      ...(name === 'payments' ? [{ name: 'gateway_ref', type: 'text', nullable: false }] : []),
    ],
    foreign_keys: name.endsWith('_lines') ? [`${name.replace('_lines', '')}_id`] : [],
  }));
  return { database: 'shop', engine: 'PostgreSQL 16.4', tables };
}

/** The history of a repository. */
function commits() {
  const areas = ['engine', 'store', 'docs', 'cli', 'lisp'];
  return {
    branch: 'main',
    truncated: true,
    commits: times(130, (at) => ({
      sha: hex(40),
      author: at === 71 ? 'intern-bot' : pick(people),
      date: iso(300 - at, whole(0, 80_000)),
      subject:
        at === 18
          ? 'Revert "Charge twice when the gateway is slow"'
          : `${pick(areas)}: ${pick(['mend', 'test', 'rename', 'explain'])} the ${pick(parts)}`,
      merge: at % 13 === 5,
      files: times(whole(1, 5), () => ({
        path: `src/${pick(areas)}/${pick(parts).toLowerCase().replaceAll(' ', '-')}.ts`,
        added: at === 44 ? 9_114 : whole(0, 60),
        deleted: at === 44 ? 0 : whole(0, 40),
      })),
    })),
  };
}

/** The pods of a cluster, as its API lists them. */
function pods() {
  return {
    kind: 'PodList',
    items: times(96, (at) => ({
      metadata: {
        name: `${pick(['web', 'api', 'job'])}-${hex(6)}-${hex(4)}`,
        namespace: at % 8 === 0 ? 'batch' : 'shop',
        labels: { app: pick(['web', 'api', 'job']) },
      },
      spec: { node: `node-${at % 6}`, priority: at === 60 ? 1_000_000 : 0 },
      status: {
        phase: at === 23 ? 'Pending' : at === 77 ? 'Failed' : 'Running',
        reason: at === 77 ? 'Evicted' : null,
        started: iso(240, at * 61),
        containers: [
          {
            name: 'main',
            ready: at !== 23 && at !== 77 && at !== 50,
            restarts: at === 50 ? 418 : whole(0, 2),
            image: `registry.example/app:${at === 85 ? '2.9.0' : '3.1.4'}`,
            last: at === 50 ? { exit: 137, reason: 'OOMKilled' } : null,
          },
        ],
      },
    })),
  };
}

/** An unparsed file as one long text. */
function statement() {
  const rows = times(420, (at) => {
    const amount = at === 300 ? '-48000.00' : `${chance() < 0.5 ? '-' : ''}${whole(5, 900)}.${whole(10, 99)}`;
    return `${iso(180 + Math.floor(at / 14)).slice(0, 10)};${at === 300 ? 'unknown beneficiary' : pick(people)};${amount};EUR`;
  });
  return {
    path: 'in/statement.csv',
    encoding: 'windows-1252',
    text: ['date;name;amount;currency', ...rows, 'balance;;18204.11;EUR'].join('\n'),
  };
}

const sets = {
  issues: issues(),
  logs: logs(),
  profile: profile(),
  files: files(),
  payments: payments(),
  deployment: deployment(),
  pages: pages(),
  'test-report': testReport(),
  metrics: metrics(),
  schema: schema(),
  commits: commits(),
  pods: pods(),
  statement: statement(),
};
for (const [name, value] of Object.entries(sets)) {
  writeFileSync(join(import.meta.dirname, 'results', `${name}.json`), `${JSON.stringify(value)}\n`);
}
