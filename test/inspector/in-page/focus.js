// Tells what has the focus, and whether a person can see it there.
(() => {
  const element = document.activeElement;
  if (element === null || element === document.body)
    return JSON.stringify({ what: 'the page', isSeen: true, isMarked: true });
  const rect = element.getBoundingClientRect();
  const isSeen = rect.width > 0 && rect.bottom > 0 && rect.right > 0 && rect.y < innerHeight && rect.x < innerWidth;
  const style = getComputedStyle(element);
  const inner =
    element instanceof SVGElement ? [...element.querySelectorAll('*')].map((each) => getComputedStyle(each)) : [];
  const isRinged = ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  const isStroked = ({ stroke, strokeWidth }) => stroke !== 'none' && Number.parseFloat(strokeWidth) >= 3;
  const isMarked = [style, ...inner].some(isRinged) || inner.some(isStroked);
  const name =
    element.getAttribute('aria-label') ?? element.getAttribute('title') ?? element.textContent.trim().slice(0, 40);
  return JSON.stringify({
    what: `${element.getAttribute('role') ?? element.tagName.toLowerCase()} ${name}`,
    isSeen,
    isMarked,
  });
})();
