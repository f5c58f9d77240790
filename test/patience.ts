// How long tests wait for processes, servers and pages: the limit only ends what hangs, on a slow machine too.

export const patience = { timeout: 240_000, interval: 20 };
