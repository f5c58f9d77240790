// Spans of calls to models, capabilities and stored results, with the attributes of the GenAI conventions.

import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { dollarsOf } from '../budget/display-figures.ts';
import type { EventOf } from '../engine/record/event.schema.ts';
import { type ModelServer, serverAt } from '../model/model-server.ts';
import type { ModelProfile } from '../model/profile.ts';
import type { Attributes } from './attributes.ts';
import { shownAnswer, shownMessages } from './shown-messages.ts';
import { toolSpan } from './span-names.ts';
import { spanOf } from './step-spans.ts';
import { charge, content, endSpan, startSpan, type TracedStep, type Tracing, textOf } from './tracing.ts';

export function startCall(tracing: Tracing, step: TracedStep, event: EventOf<'call.started'>): void {
  const { kind, name, call, request, reserved, child } = event;
  const asked = tracing.blob(request);
  const lost = step.calls.find((each) => each.call === call);
  if (lost !== undefined) endSpan(tracing, lost.span, {});
  const span = startSpan(tracing, {
    kind,
    isOwn: true,
    name: nameOf(tracing, event),
    parent: step.attempt ?? spanOf(tracing, step),
    attributes: {
      'reconverge.step.id': step.id,
      'reconverge.call': call,
      ...defined({ 'reconverge.run.child': child }),
      ...(kind === 'model' ? modelAsked(tracing, event, asked) : {}),
      ...(kind === 'embeddings' ? embeddingsAsked(tracing, name) : {}),
      ...(kind === 'capability' ? toolCalled(tracing, name, asked) : {}),
    },
  });
  step.calls = [...step.calls.filter((each) => each !== lost), { call, span, kind, reserved }];
  step.reserved = undefined;
}

export function endCall(tracing: Tracing, step: TracedStep, event: EventOf<'call.ended'>): void {
  const { call, value, failure, bill, server } = event;
  charge(tracing, step, bill);
  const open = step.calls.find((each) => each.call === call);
  if (open === undefined) return;
  const { span, kind } = open;
  step.calls = step.calls.filter((each) => each !== open);
  const { cost_usd: cost, tokens_in: input, tokens_out: output } = bill ?? {};
  const text = kind === 'model' || kind === 'capability' ? textOf(tracing, value) : undefined;
  endSpan(
    tracing,
    span,
    {
      ...defined({ 'reconverge.cost_usd': cost === undefined ? undefined : dollarsOf(cost) }),
      ...serverAsked(server),
      ...defined({ 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': output }),
      ...(kind === 'model' ? modelAnswered(tracing, text) : {}),
      ...(kind === 'capability' ? content(tracing, { 'gen_ai.tool.call.result': text }) : {}),
    },
    failure,
  );
}

function nameOf(tracing: Tracing, { kind, name }: EventOf<'call.started'>): string {
  const named = {
    model: `chat ${modelOf(tracing, name)?.model ?? name}`,
    embeddings: `embeddings ${name}`,
    capability: toolSpan(tracing, name),
    look_up: 'look up',
    files: 'find files',
    discover: 'discover capabilities',
  } as const;
  return named[kind];
}

function modelOf({ template }: Tracing, name: string): ModelProfile | undefined {
  return Object.hasOwn(template.models, name) ? template.models[name] : undefined;
}

function modelAsked(
  tracing: Tracing,
  { name, purpose, prompt }: EventOf<'call.started'>,
  asked: string | undefined,
): Attributes {
  const profile = modelOf(tracing, name);
  const request = asked === undefined ? {} : objectIn(asked);
  const most = ownProperty(request, 'maxOutputTokens');
  const messages = ownProperty(request, 'messages');
  return {
    ...defined({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': profile?.provider,
      ...serverAsked(serverIn(profile)),
      'gen_ai.request.model': profile?.model ?? name,
      'gen_ai.request.max_tokens': typeof most === 'number' ? most : profile?.maxOutputTokens,
      'gen_ai.request.temperature': numberIn(ownProperty(request, 'temperature')) ?? profile?.temperature,
      'gen_ai.request.top_p': profile?.topP,
      'gen_ai.request.seed': profile?.seed,
      'gen_ai.output.type': ownProperty(request, 'answer') === undefined ? 'text' : 'json',
      'reconverge.model.profile': name,
      'reconverge.model.purpose': purpose,
      'reconverge.model.prompt': prompt,
    }),
    ...content(tracing, { 'gen_ai.input.messages': shownMessages(messages) }),
  };
}

/** The server that the template itself names; a reference to the environment is known when the server was asked. */
function serverIn(profile: Pick<ModelProfile, 'baseUrl'> | undefined): ModelServer | undefined {
  const { baseUrl } = profile ?? {};
  return baseUrl === undefined || baseUrl.includes('${') ? undefined : serverAt(baseUrl);
}

function serverAsked(server: ModelServer | undefined): Attributes {
  if (server === undefined) return {};
  const { provider, address, port } = server;
  return defined({ 'gen_ai.provider.name': provider, 'server.address': address, 'server.port': port });
}

function embeddingsAsked({ template }: Tracing, name: string): Attributes {
  return {
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': name,
    ...serverAsked(serverIn(template.embeddings)),
  };
}

function modelAnswered(tracing: Tracing, answered: string | undefined): Attributes {
  if (answered === undefined) return {};
  const { model, id, finish, usage, text, toolCalls } = objectIn(answered);
  const used = isJsonObject(usage) ? usage : {};
  return {
    ...defined({
      'gen_ai.response.model': wordIn(model),
      'gen_ai.response.id': wordIn(id),
      'gen_ai.response.finish_reasons': typeof finish === 'string' ? [finish] : undefined,
      'gen_ai.usage.cache_read.input_tokens': numberIn(used.cached),
      'gen_ai.usage.cache_creation.input_tokens': numberIn(used.cacheWritten),
      'gen_ai.usage.reasoning.output_tokens': numberIn(used.reasoning),
    }),
    ...content(tracing, { 'gen_ai.output.messages': shownAnswer({ text, toolCalls }) }),
  };
}

function toolCalled(tracing: Tracing, name: string, asked: string | undefined): Attributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'reconverge.capability': name,
    ...content(tracing, { 'gen_ai.tool.call.arguments': asked }),
  };
}

function objectIn(text: string): JsonObject {
  const value = JSON.parse(text) as Json;
  return isJsonObject(value) ? value : {};
}

function numberIn(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function wordIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
