// A capability that a planner wrote for one run: sandboxed Lisp with limited fuel.
import type { Declaration } from '../contract/declaration.ts';
import { compileCached } from '../lisp/compile-cached.ts';
import type { Limits } from '../lisp/limits.ts';
import { type Capability, capabilityOf } from './capability.ts';
import { CapabilityError } from './capability-error.ts';
import { programValue } from './evaluate-lisp.ts';

/** @param source a Lisp expression over `data/input` */
export function lispCapability(declaration: Declaration, source: string, limits: Partial<Limits>): Capability {
  return capabilityOf(declaration, (input) => {
    const program = compileCached(source, { bindings: ['input'] });
    if (!program.ok) {
      const [first] = program.error;
      throw new CapabilityError(first?.code ?? 'LISP_PARSE', first?.message ?? '', { retry: 'never' });
    }
    return programValue(program.value, input, limits);
  });
}
