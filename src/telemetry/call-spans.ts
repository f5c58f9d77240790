// Spans of calls to models, capabilities and stored results, with the attributes of the GenAI conventions.

import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { dollarsOf } from '../budget/display-figures.ts';
import type { EventOf } from '../engine/record/event.schema.ts';
import type { ModelProfile } from '../model/profile.ts';
import type { Attributes } from './attributes.ts';
import { spanOf } from './step-spans.ts';
import { charge, content, endSpan, startSpan, type TracedStep, type Tracing, textOf } from './tracing.ts';

export function startCall(tracing: Tracing, step: TracedStep, event: EventOf<'call.started'>): void {
  const { kind, name, call, request, reserved, child } = event;
  const asked = tracing.blob(request);
  const lost = step.calls.find((each) => each.call === call);
  if (lost !== undefined) endSpan(tracing, lost.span, {});
  const span = startSpan(tracing, {
    kind,
    name: nameOf(event, modelOf(tracing, name)),
    parent: step.attempt ?? spanOf(tracing, step),
    attributes: {
      'reconverge.call': call,
      ...defined({ 'reconverge.run.child': child }),
      ...(kind === 'model' ? modelAsked(tracing, event, asked) : {}),
      ...(kind === 'embeddings' ? embeddingsAsked(name) : {}),
      ...(kind === 'capability' ? toolCalled(tracing, name, asked) : {}),
    },
  });
  step.calls = [...step.calls.filter((each) => each !== lost), { call, span, kind, reserved }];
  step.reserved = undefined;
}

export function endCall(tracing: Tracing, step: TracedStep, event: EventOf<'call.ended'>): void {
  const { call, value, failure, bill } = event;
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
      ...defined({ 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': output }),
      ...(kind === 'model' ? modelAnswered(tracing, text) : {}),
      ...(kind === 'capability' ? content(tracing, { 'gen_ai.tool.call.result': text }) : {}),
    },
    failure,
  );
}

function nameOf({ kind, name }: EventOf<'call.started'>, profile: ModelProfile | undefined): string {
  const named = {
    model: `chat ${profile?.model ?? name}`,
    embeddings: `embeddings ${name}`,
    capability: `execute_tool ${name}`,
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
      'gen_ai.request.model': profile?.model ?? name,
      'gen_ai.request.max_tokens': typeof most === 'number' ? most : profile?.maxOutputTokens,
      'gen_ai.request.temperature': profile?.temperature,
      'reconverge.model.profile': name,
      'reconverge.model.purpose': purpose,
      'reconverge.model.prompt': prompt,
    }),
    ...content(tracing, { 'gen_ai.input.messages': messages == null ? undefined : JSON.stringify(messages) }),
  };
}

function embeddingsAsked(name: string): Attributes {
  return {
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': name,
  };
}

function modelAnswered(tracing: Tracing, answered: string | undefined): Attributes {
  if (answered === undefined) return {};
  const { model, id, finish, usage, text, toolCalls } = objectIn(answered);
  const cached = isJsonObject(usage) ? usage.cached : undefined;
  const message = { role: 'assistant', content: text ?? '', ...defined({ toolCalls }) };
  return {
    ...defined({
      'gen_ai.response.model': wordIn(model),
      'gen_ai.response.id': wordIn(id),
      'gen_ai.response.finish_reasons': typeof finish === 'string' ? [finish] : undefined,
      'gen_ai.usage.cache_read.input_tokens': typeof cached === 'number' ? cached : undefined,
    }),
    ...content(tracing, { 'gen_ai.output.messages': JSON.stringify([message]) }),
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

function wordIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
