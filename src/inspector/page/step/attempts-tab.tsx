// The attempts of a step: their outcome, failure, cost, and calls of models and tools.
import { isJsonArray, isJsonObject, type Json } from '../../../base/json.ts';
import { durationText } from '../../../base/quantity.ts';
import { amountText } from '../../../view/amount-text.ts';
import { callText } from '../../../view/why/call-text.ts';
import type { Why, WhyAttempt } from '../../../view/why/why.ts';
import { Fold } from '../parts/fold.tsx';
import { Issues } from '../parts/issues.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { RunLink } from '../parts/run-link.tsx';
import { Stored, Value } from '../parts/value.tsx';
import { blobOf } from '../state/server.ts';

export function AttemptsTab({ explanation }: { readonly explanation: Why }) {
  if (explanation.attempts.length === 0) return <p class="dim">The step has not started.</p>;
  return (
    <ol class="attempts">
      {explanation.attempts.map((attempt) => (
        <li key={`${attempt.attempt}.${attempt.delivery}`}>
          <Attempt attempt={attempt} />
        </li>
      ))}
    </ol>
  );
}

const bad: readonly string[] = ['failed', 'rejected', 'lost'];

function Attempt({ attempt }: { readonly attempt: WhyAttempt }) {
  const {
    startedAt,
    endedAt,
    end = 'under way',
    delivery,
    failure,
    diagnosis,
    issues = [],
    calls,
    bill,
    assumed,
    child,
  } = attempt;
  return (
    <>
      <h3>
        attempt {attempt.attempt}
        {delivery > 1 ? `, delivery ${delivery}` : ''}:{' '}
        <span class={bad.includes(end) ? 'text-bad' : end === 'completed' ? 'text-good' : 'text-busy'}>{end}</span>
      </h3>
      <p class="dim">
        {endedAt === undefined ? 'since ' : 'after '}
        {endedAt === undefined ? new Date(startedAt).toLocaleTimeString('en-GB') : durationText(endedAt - startedAt)}
        {bill === undefined ? '' : ` · ${amountText(bill)}`}
        {assumed === undefined ? '' : ` (assumed: ${amountText(assumed)})`}
        {child !== undefined && (
          <>
            {' · '}
            <RunLink run={child} />
          </>
        )}
      </p>
      {failure !== undefined && (
        <p class="failure">
          <code>{failure.code}</code> {failure.message}
        </p>
      )}
      {diagnosis !== undefined && diagnosis !== failure?.message && <p class="failure">verification: {diagnosis}</p>}
      {issues.length > 0 && <Issues issues={issues} />}
      {calls.map((call) => (
        <Fold
          key={`${call.call} ${call.startedAt}`}
          title={
            <>
              <span class={call.failure === undefined ? 'text-busy' : 'text-bad'}>
                {attempt.attempt}.{call.call}
              </span>{' '}
              {callText(call, calls)}
            </>
          }
        >
          {() => (
            <>
              <h4>
                {call.kind === 'model' ? `prompt${call.prompt === undefined ? '' : ` (${call.prompt})`}` : 'asked'}
              </h4>
              <CallRequest digest={call.request} />
              {call.value !== undefined && (
                <>
                  <h4>{call.kind === 'model' ? 'raw reply' : 'answer'}</h4>
                  <Stored kept={call.value} />
                </>
              )}
            </>
          )}
        </Fold>
      ))}
    </>
  );
}

/** The request of a call: the messages of a model one by one, any other request unchanged. */
function CallRequest({ digest }: { readonly digest: string }) {
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
