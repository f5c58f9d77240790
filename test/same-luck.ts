// Gives every property test the same seed on every machine; `RECONVERGE_LONG=1` uses a new seed for each run. A failure prints its seed.
import fc from 'fast-check';

if (process.env.RECONVERGE_LONG !== '1') fc.configureGlobal({ seed: 2_024 });
