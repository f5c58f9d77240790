// What the capabilities of a store take alike.

export const storeProperty = {
  type: 'string',
  minLength: 1,
  description: 'Folder of the store, under one of the granted roots.',
} as const;

/** Becomes the name of a file. */
const name = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_.@=+-]*$', maxLength: 200 } as const;

export const keyProperty = { ...name, description: 'Letters, digits and _ . @ = + -' } as const;
export const logProperty = { ...name, description: 'Name of the log: letters, digits and _ . @ = + -' } as const;
