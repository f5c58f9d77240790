// Keeps the focus on the page: when an update removes the focused element, what stood around it takes the focus.

/** Watches the page for its whole life. */
export function keepFocus(page: HTMLElement): void {
  /** The focused element and those around it, from the inside out. */
  let path: readonly Element[] = [];
  document.addEventListener('focusin', ({ target }) => {
    path = target instanceof Element ? around(target, page) : [];
  });
  document.addEventListener('pointerdown', () => {
    path = [];
  });
  const observer = new MutationObserver(() => {
    const [focused, ...others] = path;
    if (focused === undefined || focused.isConnected || document.activeElement !== document.body) return;
    const kept = others.find((element) => element.isConnected);
    if (kept instanceof HTMLElement) focusWithin(kept);
  });
  observer.observe(page, { childList: true, subtree: true });
}

function around(target: Element, page: HTMLElement): readonly Element[] {
  const found: Element[] = [];
  for (let each: Element | null = target; each !== null && each !== page; each = each.parentElement) found.push(each);
  return found;
}

function focusWithin(element: HTMLElement): void {
  const first = element.querySelector<HTMLElement>(
    'button:not(:disabled), a[href], input, select, textarea, [tabindex="0"]',
  );
  if (first === null && !element.hasAttribute('tabindex')) element.tabIndex = -1;
  (first ?? element).focus();
}
