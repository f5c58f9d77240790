// Evaluated in the page: finds texts with less contrast to their background than WCAG AA requires.
(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });

  function read(colour) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  }

  function light([red, green, blue]) {
    const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
  }

  function groundOf(element) {
    if (element === null) return [255, 255, 255];
    const colour = read(getComputedStyle(element).backgroundColor);
    return colour[3] > 252 ? colour : groundOf(element.parentElement);
  }

  function hasText({ childNodes }) {
    return [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '');
  }

  return [...document.querySelectorAll('body *:not(svg *)')].flatMap((element) => {
    if (!hasText(element) || element.matches(':disabled, option') || !element.checkVisibility()) return [];
    const [text, ground] = [light(read(getComputedStyle(element).color)), light(groundOf(element))];
    const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    return ratio >= 4.5 ? [] : [`${element.textContent} ${ratio.toFixed(2)}`];
  });
})();
