// Collects the texts and the marked shapes that can be seen in the graph. The graph is the element in `globalThis.judged`.
(() => {
  const root = document.querySelector(globalThis.judged);
  const frame = root.getBoundingClientRect();
  const cover = (rect) => ({ x: rect.x, y: rect.y, width: rect.width, height: rect.height });
  const isInside = (rect) =>
    rect.x >= frame.x - 1 && rect.y >= frame.y - 1 && rect.right <= frame.right + 1 && rect.bottom <= frame.bottom + 1;
  // A shape that cannot be seen covers nothing.
  const isPainted = (element) => {
    for (let each = element; each instanceof Element; each = each.parentElement)
      if (Number(getComputedStyle(each).opacity) < 0.05) return false;
    const style = getComputedStyle(element);
    if (style.visibility !== 'visible') return false;
    const clear = (paint) => paint === 'none' || /rgba\(.*, 0\)|transparent/.test(paint);
    if (element instanceof SVGElement)
      return !(clear(style.fill) && (clear(style.stroke) || Number(style.strokeWidth.replace('px', '')) === 0));
    return !(clear(style.backgroundColor) && style.backgroundImage === 'none');
  };
  const opacityOf = (element) => {
    let opacity = 1;
    for (let each = element; each instanceof Element; each = each.parentElement)
      opacity *= Number(getComputedStyle(each).opacity);
    return opacity;
  };
  const texts = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const holder = node.parentElement;
    if (node.textContent.trim() === '' || ['TITLE', 'STYLE', 'DESC'].includes(holder.tagName.toUpperCase())) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rect = holder instanceof SVGElement ? holder.getBoundingClientRect() : range.getBoundingClientRect();
    if (
      rect.width < 1 ||
      rect.right < frame.x ||
      rect.x > frame.right ||
      rect.bottom < frame.y ||
      rect.y > frame.bottom
    )
      continue;
    const style = getComputedStyle(holder);
    if (style.visibility !== 'visible' || opacityOf(holder) < 0.05) continue;
    const matrix = holder instanceof SVGElement ? holder.getScreenCTM() : undefined;
    const scale = matrix ? Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c)) : 1;
    const owner = holder.closest('[data-card], [data-phase], [data-label-of]');
    // Texts of one element are one label: a glyph with its name.
    const whole = holder.closest('text') ?? holder;
    const covered = [];
    for (const [dx, dy] of [
      [0.05, 0.5],
      [0.25, 0.3],
      [0.5, 0.5],
      [0.5, 0.75],
      [0.75, 0.3],
      [0.95, 0.5],
    ]) {
      const [x, y] = [rect.x + rect.width * dx, rect.y + rect.height * dy];
      for (const found of document.elementsFromPoint(x, y)) {
        if (found === whole || whole.contains(found) || found.contains(whole)) break;
        const isLater = (whole.compareDocumentPosition(found) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
        if (!isLater && root.contains(found)) break;
        if (isPainted(found)) {
          covered.push(
            `${found.tagName} ${found.closest('[data-card], [data-phase]')?.getAttribute('aria-label') ?? found.getAttribute('class') ?? ''}`,
          );
          break;
        }
      }
    }
    texts.push({
      text: node.textContent.trim(),
      owner: owner?.dataset.card ?? owner?.dataset.phase ?? owner?.dataset.labelOf ?? '',
      name: owner?.getAttribute('aria-label') ?? '',
      kind: owner === null ? 'other' : 'card' in owner.dataset ? 'step' : 'phase',
      // Beside the graph stand a legend, a map and buttons.
      isPart: holder.closest('svg') !== null && owner !== null,
      size: Number.parseFloat(style.fontSize) * scale,
      color: holder instanceof SVGElement ? style.fill : style.color,
      opacity: opacityOf(holder),
      isInside: isInside(rect),
      covered,
      rect: cover(rect),
    });
  }
  const marks = [...root.querySelectorAll('[data-card], [data-phase]')].flatMap((element) => {
    const shape = element.matches('rect, div') ? element : (element.querySelector('rect, path, .box') ?? element);
    const rect = shape.getBoundingClientRect();
    if (rect.width < 1 || !isInside(rect)) return [];
    return [
      {
        id: element.dataset.card ?? element.dataset.phase,
        kind: 'card' in element.dataset ? 'step' : 'phase',
        shape: element.getAttribute('class') ?? '',
        status:
          element.dataset.status ?? (/status-([a-z_-]+)/.exec(element.getAttribute('class') ?? '') ?? [])[1] ?? '',
        rect: cover(rect),
      },
    ];
  });
  return JSON.stringify({ frame: cover(frame), texts, marks });
})();
