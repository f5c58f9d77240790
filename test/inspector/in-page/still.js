// Resolves when nothing in the page has changed for six frames.
globalThis.still = new Promise((resolve) => {
  let quiet = 0;
  const watching = new MutationObserver(() => {
    quiet = 0;
  });
  watching.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  const end = performance.now() + 20_000;
  const tick = () => {
    quiet += 1;
    if (quiet > 6 || performance.now() > end) {
      watching.disconnect();
      resolve(true);
    } else requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
});
