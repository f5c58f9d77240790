// Keeps standard output for a protocol: everything else that is written to it goes to standard error.
import { Writable } from 'node:stream';

/** Output of template modules would corrupt the protocol on standard output. */
export function takeStandardOutput(): { readonly protocol: Writable; readonly giveBack: () => void } {
  const { stdout, stderr } = process;
  const own = stdout.write;
  stdout.write = stderr.write.bind(stderr);
  return {
    protocol: new Writable({ write: (chunk, _encoding, done) => void own.call(stdout, chunk, undefined, done) }),
    giveBack() {
      stdout.write = own;
    },
  };
}
