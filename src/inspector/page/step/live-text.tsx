// The text that a model writes for a step at this moment; it follows the end as long as nobody scrolls up.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { keyOf, liveTexts, type PageText } from '../state/live-texts.ts';

export function LiveTexts({ step }: { readonly step: string }) {
  const texts = liveTexts.value.filter((each) => each.step === step);
  return (
    <>
      {texts.map((text) => (
        <LiveText key={keyOf(text)} text={text} />
      ))}
    </>
  );
}

/** Pixels from the end within which a reader still follows it. */
const NEAR = 40;

function LiveText({ text: { attempt, call, model, purpose, text, isCut } }: { readonly text: PageText }) {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    if (box.current !== null && follows.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
  const name = `call ${attempt}.${call}: the model ${model} writes (${purpose})`;
  return (
    <section class="live-text">
      <h3>{name}</h3>
      <div
        ref={box}
        class="live-body"
        role="log"
        aria-label={name}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < NEAR;
        }}
      >
        {isCut ? '… ' : ''}
        {text}
      </div>
    </section>
  );
}
