// The names of spans and attributes against the lists that OpenTelemetry publishes.
import * as published from '@opentelemetry/semantic-conventions/incubating';
import { describe, expect, it } from 'vitest';
import { serverAt, serverOfSdk } from '../../src/model/model-server.ts';
import { attributes, attributeType } from '../../src/telemetry/attributes.ts';
import { instruments } from '../../src/telemetry/metrics.ts';
import { shownAnswer, shownMessages } from '../../src/telemetry/shown-messages.ts';
import { typedValues } from '../../src/telemetry/typed-values.ts';
import { genaiAttributes, genaiProviders } from './genai-registry.ts';

const ofPackage = new Set<unknown>(
  Object.entries(published).flatMap(([key, value]) => (/^(ATTR|METRIC)_/.test(key) ? [value] : [])),
);

describe('the table of attributes', () => {
  it('names every convention as it is published', () => {
    const names = Object.keys(attributes).filter((name) => !/^(reconverge|openinference)\./.test(name));
    expect(names.filter((name) => !ofPackage.has(name) && !(name in genaiAttributes))).toEqual([]);
    expect(names.length).toBeGreaterThan(20);
    const metrics = Object.keys(instruments).filter((name) => !name.startsWith('reconverge.'));
    expect(metrics.filter((name) => !ofPackage.has(name))).toEqual([]);
  });

  it('has the published types; structures are JSON text', () => {
    const wrong = Object.entries(genaiAttributes).filter(
      ([name, type]) => name in attributes && attributeType(name) !== (type === 'any' ? 'string' : type),
    );
    expect(wrong).toEqual([]);
  });

  it('gives a figure one type, whether it is whole or not', () => {
    const sent = typedValues({
      'reconverge.cost_usd': 1,
      'reconverge.budget.cost_usd.spent': 0,
      'gen_ai.request.temperature': 0,
      'reconverge.attempt.number': 2,
    });
    expect(Object.values(sent).map((value) => Number.isInteger(value))).toEqual([false, false, false, true]);
    expect(sent['reconverge.cost_usd']).toBeCloseTo(1, 8);
    const big = typedValues({ 'reconverge.cost_usd': 2 ** 40 });
    expect(Number.isInteger(big['reconverge.cost_usd'])).toBe(false);
    const exact = { 'reconverge.cost_usd': 0.25 };
    expect(typedValues(exact)).toBe(exact);
  });
});

describe('the provider of a model', () => {
  it.each([
    ['https://api.openai.com/v1', 'openai', 'api.openai.com', 443],
    ['https://mine.openai.azure.com/openai/v1', 'azure.ai.openai', 'mine.openai.azure.com', 443],
    ['https://generativelanguage.googleapis.com/v1beta/openai', 'gcp.gemini', 'generativelanguage.googleapis.com', 443],
    ['https://api.x.ai/v1', 'x_ai', 'api.x.ai', 443],
    ['http://127.0.0.1:11434/v1', 'openai', '127.0.0.1', 11434],
    ['http://netflix.ai/v1', 'openai', 'netflix.ai', 80],
  ])('is read from the address %s', (url, provider, address, port) => {
    expect(serverAt(url)).toEqual({ provider, address, port });
  });

  it.each([
    ['openai.responses', 'openai'],
    ['anthropic.messages', 'anthropic'],
    ['google.generative-ai', 'gcp.gemini'],
    ['google.vertex.chat', 'gcp.vertex_ai'],
    ['amazon-bedrock', 'aws.bedrock'],
    ['azure-openai.chat', 'azure.ai.openai'],
    ['xai.chat', 'x_ai'],
  ])('is the published name of the SDK’s %s', (named, provider) => {
    expect(serverOfSdk(named)).toEqual({ provider });
    expect(genaiProviders).toContain(provider);
  });

  it('is the own name of a provider that the conventions do not list', () => {
    expect(serverOfSdk('fireworks.chat')).toEqual({ provider: 'fireworks' });
  });
});

describe('messages of models', () => {
  it('have a role and parts', () => {
    const messages = [
      { role: 'system', content: 'You count.' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'count', arguments: { of: 'boxes' } }] },
      { role: 'tool', callId: 'c1', content: '7' },
    ];
    expect(JSON.parse(shownMessages(messages) ?? '')).toEqual([
      { role: 'system', parts: [{ type: 'text', content: 'You count.' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'count', arguments: { of: 'boxes' } }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: '7' }] },
    ]);
    expect(JSON.parse(shownAnswer({ text: 'seven', toolCalls: undefined }))).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'seven' }] },
    ]);
  });

  it('stay readable JSON when a text is too long', () => {
    const shown = shownMessages([
      { role: 'user', content: 'x'.repeat(40_000) },
      { role: 'user', content: 'and now?' },
    ]);
    expect(shown?.length).toBeLessThan(16_384);
    expect(JSON.parse(shown ?? '')).toMatchObject([
      { parts: [{ content: expect.stringMatching(/^x+…$/) }] },
      { parts: [{ content: 'and now?' }] },
    ]);
  });
});
