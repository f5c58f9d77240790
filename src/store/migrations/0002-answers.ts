// Migration 2: what became of an order, for whoever posted it.

export const answers = `
ALTER TABLE inbox ADD COLUMN answer TEXT; -- JSON; with \`taken\`
`;
