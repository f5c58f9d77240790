// The public MCP servers that test:mcp starts: the package, whose first program is started, its arguments and dummy keys.

export interface PublicServer {
  readonly name: string;
  readonly package: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const official = (name: string, env: PublicServer['env'] = {}, args: readonly string[] = []): PublicServer => ({
  name: name.replace(/-/g, '_'),
  package: `@modelcontextprotocol/server-${name}`,

  env,
  args,
});

/** @param folder an empty folder, for servers that store data */
export const publicServers = (folder: string): readonly PublicServer[] => [
  official('filesystem', {}, [folder]),
  official('memory', { MEMORY_FILE_PATH: `${folder}/memory.json` }),
  official('everything'),
  official('sequential-thinking'),
  official('github', { GITHUB_PERSONAL_ACCESS_TOKEN: 'dummy' }),
  official('slack', { SLACK_BOT_TOKEN: 'xoxb-dummy', SLACK_TEAM_ID: 'T1' }),
  official('gitlab', { GITLAB_PERSONAL_ACCESS_TOKEN: 'dummy' }),
  official('google-maps', { GOOGLE_MAPS_API_KEY: 'dummy' }),
  official('postgres', {}, ['postgres://127.0.0.1:1/none']),
  official('brave-search', { BRAVE_API_KEY: 'dummy' }),
  {
    name: 'stripe',
    package: '@stripe/mcp',
    args: ['--tools=all', '--api-key=sk_test_dummy'],
  },
  {
    name: 'hubspot',
    package: '@hubspot/mcp-server',
    env: { PRIVATE_APP_ACCESS_TOKEN: 'dummy' },
  },
  { name: 'sentry', package: '@sentry/mcp-server', args: ['--access-token=dummy'] },
  { name: 'firecrawl', package: 'firecrawl-mcp', env: { FIRECRAWL_API_KEY: 'fc-dummy' } },
  {
    name: 'notion',
    package: '@notionhq/notion-mcp-server',
    env: { NOTION_TOKEN: 'ntn_dummy' },
  },
  { name: 'playwright', package: '@playwright/mcp', args: ['--headless'] },
  {
    name: 'mongodb',
    package: 'mongodb-mcp-server',
    env: { MDB_MCP_CONNECTION_STRING: 'mongodb://127.0.0.1:1/none', MDB_MCP_TELEMETRY: 'disabled' },
  },
  { name: 'airtable', package: 'airtable-mcp-server', env: { AIRTABLE_API_KEY: 'pat.dummy' } },
  { name: 'chrome', package: 'chrome-devtools-mcp' },
  { name: 'kubernetes', package: 'mcp-server-kubernetes' },
  {
    name: 'brave',
    package: '@brave/brave-search-mcp-server',
    args: ['--transport', 'stdio'],
    env: { BRAVE_API_KEY: 'dummy' },
  },
  { name: 'desktop', package: '@wonderwhy-er/desktop-commander' },
  { name: 'context7', package: '@upstash/context7-mcp' },
  { name: 'exa', package: 'exa-mcp-server', env: { EXA_API_KEY: 'dummy' } },
  { name: 'linear', package: '@tacticlaunch/mcp-linear', env: { LINEAR_API_TOKEN: 'dummy' } },
  {
    name: 'cloudflare',
    package: '@cloudflare/mcp-server-cloudflare',
    args: ['run', 'dummy'],
    env: { CLOUDFLARE_API_TOKEN: 'dummy', CLOUDFLARE_ACCOUNT_ID: 'dummy' },
  },
  { name: 'tavily', package: 'tavily-mcp', env: { TAVILY_API_KEY: 'dummy' } },
];
