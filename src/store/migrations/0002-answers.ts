// Migration 2: the answer to an order, for its sender.

export const answers = `
ALTER TABLE inbox ADD COLUMN answer TEXT; -- JSON; with \`taken\`
`;
