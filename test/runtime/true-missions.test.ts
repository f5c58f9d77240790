// Twelve missions whose orders no tool serves in part or at all: none of them ends as a success for what never happened.
export const missions = [
  'Send the report to anna@example.com',
  'Create a ticket for the outage, then list the orders',
  "Summarise the minutes of yesterday's meeting",
  'List the orders, then write a summary of them',
  'Book a table for two at eight',
  'List the orders, then delete the oldest one',
  'Read https://example.com/terms, then summarise it',
  'Draft a letter to the landlord, then make it shorter',
  'Refund order 7, but ask me first',
  'If an order is above 100, refund it and send a mail to Anna',
  'Write a report about the orders to report.md',
  'Lösche die alten Bestellungen',
];
