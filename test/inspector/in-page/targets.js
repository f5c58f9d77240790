// Lists the controls that a person could hit, with their sizes. Links within sentences and shapes of drawings have no least size.
(() => {
  const controls = document.querySelectorAll(
    'button, select, textarea, input, summary, a[href], [role=button], [role=tab]',
  );
  return JSON.stringify(
    [...controls].flatMap((element) => {
      if (element.closest('svg, [inert], [aria-hidden=true]') !== null || element.disabled) return [];
      if (element.tagName === 'A' && getComputedStyle(element).display === 'inline') return [];
      // A text of a sentence that is a button looks like a link.
      if (element.matches('.link, .lnk') || getComputedStyle(element).display === 'inline') return [];
      const label = element.closest('label');
      const rect = (label ?? element).getBoundingClientRect();
      const style = getComputedStyle(element);
      if (rect.width < 1 || rect.height < 1 || style.visibility !== 'visible' || style.opacity === '0') return [];
      if (rect.right <= 0 || rect.x >= innerWidth) return [];
      const words = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
      return [
        {
          what: `${element.tagName.toLowerCase()}.${element.className} “${words}”`,
          width: Math.round(rect.width),
          height: Math.round(rect.height),
        },
      ];
    }),
  );
})();
