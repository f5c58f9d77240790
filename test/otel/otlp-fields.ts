// The fields of OTLP that we send, by their numbers in opentelemetry-proto 1.x, under their names in its JSON form.
import type { Table } from './protobuf.ts';

const anyValue: Table = () => ({
  1: { name: 'stringValue', as: 'text' },
  2: { name: 'boolValue', as: 'bool' },
  3: { name: 'intValue', as: 'int' },
  4: { name: 'doubleValue', as: 'double' },
  5: { name: 'arrayValue', as: () => ({ 1: { name: 'values', as: anyValue, many: true } }) },
});
const keyValue: Table = () => ({ 1: { name: 'key', as: 'text' }, 2: { name: 'value', as: anyValue } });
const attributes = { name: 'attributes', as: keyValue, many: true } as const;
const resource: Table = () => ({ 1: attributes, 2: { name: 'droppedAttributesCount', as: 'int' } });
const scope: Table = () => ({ 1: { name: 'name', as: 'text' }, 2: { name: 'version', as: 'text' } });

const event: Table = () => ({
  1: { name: 'timeUnixNano', as: 'fixed64' },
  2: { name: 'name', as: 'text' },
  3: attributes,
  4: { name: 'droppedAttributesCount', as: 'int' },
});

const link: Table = () => ({
  1: { name: 'traceId', as: 'hex' },
  2: { name: 'spanId', as: 'hex' },
  3: { name: 'traceState', as: 'text' },
  4: attributes,
  5: { name: 'droppedAttributesCount', as: 'int' },
  6: { name: 'flags', as: 'fixed32' },
});

const span: Table = () => ({
  1: { name: 'traceId', as: 'hex' },
  2: { name: 'spanId', as: 'hex' },
  3: { name: 'traceState', as: 'text' },
  4: { name: 'parentSpanId', as: 'hex' },
  5: { name: 'name', as: 'text' },
  6: { name: 'kind', as: 'int' },
  7: { name: 'startTimeUnixNano', as: 'fixed64' },
  8: { name: 'endTimeUnixNano', as: 'fixed64' },
  9: attributes,
  10: { name: 'droppedAttributesCount', as: 'int' },
  11: { name: 'events', as: event, many: true },
  12: { name: 'droppedEventsCount', as: 'int' },
  13: { name: 'links', as: link, many: true },
  14: { name: 'droppedLinksCount', as: 'int' },
  15: {
    name: 'status',
    as: () => ({ 2: { name: 'message', as: 'text' }, 3: { name: 'code', as: 'int' } }),
  },
  16: { name: 'flags', as: 'fixed32' },
});

export const traceRequest: Table = () => ({
  1: {
    name: 'resourceSpans',
    many: true,
    as: () => ({
      1: { name: 'resource', as: resource },
      2: {
        name: 'scopeSpans',
        many: true,
        as: () => ({
          1: { name: 'scope', as: scope },
          2: { name: 'spans', as: span, many: true },
          3: { name: 'schemaUrl', as: 'text' },
        }),
      },
      3: { name: 'schemaUrl', as: 'text' },
    }),
  },
});
