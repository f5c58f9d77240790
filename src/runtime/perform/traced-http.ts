// HTTP with the trace context of the call; headers that the caller sets itself come first.
import type { HttpAccess } from '../../capabilities/http/access.ts';
import type { WorkTrace } from '../ports/work-trace.ts';

export function tracedHttp(http: HttpAccess, trace: WorkTrace): HttpAccess {
  return {
    send(call) {
      const context = trace.headers();
      return http.send(context === undefined ? call : { ...call, headers: { ...context, ...call.headers } });
    },
  };
}
