// The packet that a planner saw: the share of each result, the omitted parts, and the brief.
import { isJsonObject } from '../../../base/json.ts';
import type { Recorded } from '../../../engine/record/event.schema.ts';
import { receiptsOf, receiptsText } from '../../../view/why/receipts.ts';
import { Fold } from '../parts/fold.tsx';
import { Lines } from '../parts/lines.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Value } from '../parts/value.tsx';
import { eventsUntil, type Moment } from '../state/run.ts';
import { blobOf } from '../state/server.ts';

export function PacketTab({ moment, id }: { readonly moment: Moment; readonly id: string }) {
  const requested = eventsUntil(moment).filter(({ event }) => event.type === 'plan.requested' && event.step === id);
  if (requested.length === 0) return <p class="dim">Its planner has not been asked yet.</p>;
  return (
    <>
      <h3>receipts</h3>
      <Loaded of={requested.map(({ version }) => version).join(' ')} load={() => receipts(requested, id)}>
        {(lines) => <Lines lines={lines} />}
      </Loaded>
      {requested.map(({ event, version }) =>
        event.type !== 'plan.requested' ? null : (
          <Fold key={version} title={`brief of attempt ${event.attempt}: ${event.tokens} tokens of context`}>
            {() => <Brief digest={event.brief} />}
          </Fold>
        ),
      )}
    </>
  );
}

async function receipts(requested: readonly Recorded[], id: string) {
  const digests = requested.flatMap(({ event }) =>
    event.type === 'plan.requested' && event.receipt !== undefined ? [event.receipt] : [],
  );
  const texts = new Map(
    await Promise.all(digests.map(async (digest) => [digest, JSON.stringify(await blobOf(digest))] as const)),
  );
  return receiptsText(receiptsOf(requested, id, (digest) => texts.get(digest)));
}

function Brief({ digest }: { readonly digest: string }) {
  return (
    <Loaded of={digest} load={() => blobOf(digest)}>
      {(brief) =>
        isJsonObject(brief) ? (
          Object.entries(brief).map(([name, value]) => (
            <Fold key={name} title={name} open={name === 'goal'}>
              {() => <Value value={value} />}
            </Fold>
          ))
        ) : (
          <Value value={brief} />
        )
      }
    </Loaded>
  );
}
