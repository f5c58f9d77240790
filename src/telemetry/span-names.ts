// Names of spans that depend on agents and tools. A name that a plan made up is an attribute, and no part of a span's name.
import type { AgentUse } from '../template/keys/agent.ts';
import type { Tracing } from './tracing.ts';

/** `invoke_agent NAME` for an agent of the template; an undeclared name means the default agent. */
export function agentSpan({ template }: Tracing, { name, own }: AgentUse): string {
  if (own !== undefined) return 'invoke_agent';
  return `invoke_agent ${Object.hasOwn(template.agents, name) ? name : 'default'}`;
}

/** `execute_tool NAME`, but without the name of a capability that a plan has written. */
export function toolSpan({ written }: Tracing, name: string): string {
  return written.has(name) ? 'execute_tool' : `execute_tool ${name}`;
}
