// Goals and what they come apart into: `kind: description`, `<- 1 2` for the tasks that it waits for, `@ref` for each attachment.

export const goals: readonly (readonly [goal: string, ...tasks: string[]])[] = [
  // Sentences, in their order.
  ['list issues in owner/repo', 'processing: list issues in owner/repo'],
  ['Summarise the orders. Draft a letter.', 'processing: Summarise the orders', 'processing: Draft a letter <- 1'],
  ['Explain e.g. monads to me, vs. functors.', 'processing: Explain e.g. monads to me, vs. functors'],
  ['Install Node.js v24.1. Run it.', 'processing: Install Node.js v24.1', 'processing: Run it <- 1'],
  [
    '検索する。Fetch the data。Sort it！',
    'processing: 検索する',
    'processing: Fetch the data <- 1',
    'processing: Sort it <- 2',
  ],
  // Connectors of time, as many as there are.
  [
    'Fetch stock prices for AAPL and MSFT, then compare them.',
    'processing: Fetch stock prices for AAPL and MSFT',
    'processing: compare them <- 1',
  ],
  ['first do A then do B and then do C', 'processing: do A', 'processing: do B <- 1', 'processing: do C <- 2'],
  [
    'sort the list, next filter it by state=open, lastly print it',
    'processing: sort the list',
    'processing: filter it by state=open <- 1',
    'processing: print it <- 2',
  ],
  [
    'Extract the text; after that, translate it; finally, proofread it',
    'processing: Extract the text',
    'processing: translate it <- 1',
    'processing: proofread it <- 2',
  ],
  [
    'Clean the table. Afterwards plot the totals. Once that is done, write a summary.',
    'processing: Clean the table',
    'processing: plot the totals <- 1',
    'processing: write a summary <- 2',
  ],
  [
    'extract the dates -> sort them -> print them',
    'processing: extract the dates',
    'processing: sort them <- 1',
    'processing: print them <- 2',
  ],
  ['Plan the next release', 'processing: Plan the next release'],
  // Orders joined by "and" and commas; things joined by them.
  ['clean the data and plot the totals', 'processing: clean the data', 'processing: plot the totals <- 1'],
  [
    'Parse the log, count the errors and draw a chart',
    'processing: Parse the log',
    'processing: count the errors <- 1',
    'processing: draw a chart <- 2',
  ],
  ['build, test and deploy the app', 'processing: build, test and deploy the app'],
  ['read and summarise the minutes', 'processing: read and summarise the minutes'],
  ['Read the docs and test coverage', 'processing: Read the docs and test coverage'],
  ['compare apples, pears, and plums', 'processing: compare apples, pears, and plums'],
  ['compare brands & bands', 'processing: compare brands & bands'],
  // Lists.
  [
    '- fetch orders\n- fetch customers\n- summarise them\nThen write report.md',
    'processing: fetch orders',
    'processing: fetch customers',
    'processing: summarise them <- 1 2',
    'processing: write report.md <- 3',
  ],
  [
    'Do the following:\n* the login form\n* the logout button',
    'processing: the login form',
    'processing: the logout button',
  ],
  [
    '1. Read the minutes\n2. Summarise them and then translate the summary\n3) Email it to bob@example.com',
    'processing: Read the minutes',
    'processing: Summarise them <- 1',
    'processing: translate the summary <- 2',
    'processing: Email it to bob@example.com <- 3',
  ],
  [
    '1) fetch the orders, 2) clean them 3) print them',
    'processing: fetch the orders',
    'processing: clean them <- 1',
    'processing: print them <- 2',
  ],
  [
    '• read the spec\n\n• draft the design,\n  with pictures\n',
    'processing: read the spec',
    'processing: draft the design, with pictures',
  ],
  ['- [ ] write the code\n- [x] write the tests', 'processing: write the code', 'processing: write the tests'],
  ['# Mission\n\nSort the orders.', 'processing: Sort the orders'],
  [
    'Fetch the orders\nand clean them\nthen print them',
    'processing: Fetch the orders',
    'processing: clean them <- 1',
    'processing: print them <- 2',
  ],
  // Asking a person.
  [
    'list issues in mandubian/ccos but ask me for the page size',
    'clarification: ask me for the page size',
    'processing: list issues in mandubian/ccos <- 1',
  ],
  [
    'Clean the table and publish it, but ask me first',
    'processing: Clean the table',
    'clarification: ask me first <- 1',
    'tool_call: publish it <- 2',
  ],
  [
    'Ask me for the city, then describe its weather',
    'clarification: Ask me for the city',
    'processing: describe its weather <- 1',
  ],
  [
    'Draft the letter. Let me approve it. Send it.',
    'processing: Draft the letter',
    'clarification: Let me approve it <- 1',
    'tool_call: Send it <- 2',
  ],
  [
    'Sort the orders. Which currency should be used? Add them up.',
    'processing: Sort the orders',
    'clarification: Which currency should be used? <- 1',
    'processing: Add them up <- 2',
  ],
  ['What is the capital of France?', 'processing: What is the capital of France?'],
  ['Can you run the tests?', 'processing: run the tests'],
  ['ask me whether to keep it if it is old', 'clarification: ask me whether to keep it if it is old'],
  [
    'create a ticket; ask me for the title first',
    'clarification: ask me for the title first',
    'processing: create a ticket <- 1',
  ],
  ['Create a ticket. Ask me for the title.', 'clarification: Ask me for the title', 'processing: Create a ticket <- 1'],
  [
    'list issues but ask me for the page size and ask me for the state',
    'clarification: ask me for the page size',
    'clarification: ask me for the state <- 1',
    'processing: list issues <- 2',
  ],
  [
    'create a ticket but ask me for the title, the body and the label',
    'clarification: ask me for the title',
    'clarification: ask me for the body <- 1',
    'clarification: ask me for the label <- 2',
    'processing: create a ticket <- 3',
  ],
  [
    'ask me for the name and the address of the customer, then create a ticket',
    'clarification: ask me for the name of the customer',
    'clarification: ask me for the address of the customer <- 1',
    'processing: create a ticket <- 2',
  ],
  [
    'please ask me for the city and the date of birth',
    'clarification: ask me for the city',
    'clarification: ask me for the date of birth <- 1',
  ],
  [
    'List the tickets, then ask me which of them to close',
    'processing: List the tickets',
    'clarification: ask me which of them to close <- 1',
  ],
  // Literal text is not read.
  ['Write "first this, then that" on it', 'processing: Write "first this, then that" on it'],
  [
    'Please run `npm test && npm run build` and then explain the failures',
    'tool_call: run `npm test && npm run build`',
    'processing: explain the failures <- 1',
  ],
  ['`ls -l`', 'tool_call: `ls -l`'],
  ['Read a.txt, then `make all`', 'processing: Read a.txt @file:a.txt', 'tool_call: `make all` <- 1'],
  ['Translate “wenn, dann und wenn” to English', 'processing: Translate “wenn, dann und wenn” to English'],
  ['Explain this:\n```js\nif (a) then(b)\n```', 'processing: Explain this: ```js\nif (a) then(b)\n```'],
  // Attachments.
  [
    'Add login with session cookies. Use basic auth. Read API spec at https://example.com/spec.pdf. Then write unit tests.',
    'processing: Read API spec at https://example.com/spec.pdf @link:https://example.com/spec.pdf',
    'processing: Add login with session cookies <- 1',
    'processing: Use basic auth <- 2',
    'processing: write unit tests <- 3',
  ],
  [
    'Compare data/a.csv with ./b.csv and describe chart.PNG',
    'processing: Compare data/a.csv with ./b.csv @file:data/a.csv @file:./b.csv',
    'processing: describe chart.PNG <- 1 @image:chart.PNG',
  ],
  [
    'Write tests for src/a.ts to test/a.test.ts',
    'processing: Write tests for src/a.ts to test/a.test.ts @file:src/a.ts',
  ],
  ['Convert orders.csv to orders.json', 'processing: Convert orders.csv to orders.json @file:orders.csv'],
  [
    'Read [the spec](https://example.com/a_(b)) twice',
    'processing: Read [the spec](https://example.com/a_(b)) twice @link:https://example.com/a_(b)',
  ],
  [
    'Summarise www.example.com/x, example.org/y.',
    'processing: Summarise www.example.com/x, example.org/y @link:www.example.com/x @link:example.org/y',
  ],
  ['Delete *.tmp.log', 'tool_call: Delete *.tmp.log'],
  // A sentence without an order joins an order.
  [
    'We have a folder of files. Profile them. Do not delete anything.',
    'processing: Profile them. We have a folder of files. Do not delete anything',
  ],
  ['brand new sandals', 'processing: brand new sandals'],
];

/** Goals that words alone do not take apart, with the signals that say so. */
export const unclear: readonly (readonly [goal: string, ...signals: string[]])[] = [
  ['list issues and filter per X asked to user', 'interaction: asked to user'],
  ['sort the rows by a column that the user provides', 'interaction: the user provides'],
  ['send it to the address that I give you', 'interaction: I give'],
  ['List the issues and then the orders', 'sequence: then'],
  ['ask me for a title and whether it is urgent', 'conjunction: and'],
  ['ask me before you delete anything', 'sequence: before'],
  ['delete the files if they are old', 'condition: if'],
  ['If the tests pass, then deploy the app', 'condition: If'],
  ['For each file in data, count rows', 'repetition: each'],
  ['We have a folder of files. Profile each.', 'repetition: each'],
  ['Create three tickets, each with a label', 'repetition: each'],
  ['For every customer:\n- fetch the orders\n- add them up', 'repetition: every'],
  ['retry the call until it works', 'repetition: until'],
  ['run the tests before deploying', 'sequence: before'],
  ['fetch it from the cache or download the original', 'alternative: or download'],
  ['show the post and query counts', 'conjunction: and query'],
  ['compare cost and speed and quality', 'conjunction: 2 times "and"'],
];

/** Words that only look like signals. */
export const clear: readonly string[] = [
  'count the orders placed after 2024-01-01',
  'list the files changed before yesterday',
  'describe brandy, sandalwood and thence',
  'rename "ask me if" to "then"',
  'describe the whenever-flag',
];
