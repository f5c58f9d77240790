// The request of a call: a model's messages one by one, any other request as it is.
import { isJsonArray, isJsonObject, type Json } from '../../../base/json.ts';
import { Fold } from '../parts/fold.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Value } from '../parts/value.tsx';
import { blobOf } from '../state/server.ts';

export function Asked({ digest }: { readonly digest: string }) {
  return (
    <Loaded of={digest} load={() => blobOf(digest)}>
      {(request) => <Request request={request} />}
    </Loaded>
  );
}

function Request({ request }: { readonly request: Json }) {
  const inner = isJsonObject(request) && isJsonObject(request.request) ? request.request : request;
  const messages = isJsonObject(inner) ? inner.messages : undefined;
  if (!isJsonObject(inner) || !isJsonArray(messages)) return <Value value={request} />;
  const { messages: _, ...rest } = inner;
  return (
    <div class="messages">
      {messages.map((message, index) => (
        <Message key={index} message={message} />
      ))}
      <Fold title="settings, tools and the shape of the answer">{() => <Value value={rest} />}</Fold>
    </div>
  );
}

function Message({ message }: { readonly message: Json }) {
  if (!isJsonObject(message)) return <Value value={message} />;
  const { role, content, toolCalls } = message;
  return (
    <div class={`message ${role}`}>
      <span class="label">{String(role)}</span>
      {content !== undefined && content !== '' && <Value value={content} />}
      {toolCalls !== undefined && <Value value={toolCalls} />}
    </div>
  );
}
