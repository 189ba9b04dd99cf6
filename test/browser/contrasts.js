// Evaluated in a page. Returns the texts whose contrast is below WCAG AA, which is 4.5:1, or 3:1 for large text.
(() => {
  const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const light = (colour) => {
    const [r, g, b] = channels(colour).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  // Cached, because a page has only a few combinations of background and colour.
  const known = new Map();
  const once = (key, find) => {
    if (!known.has(key)) known.set(key, find());
    return known.get(key);
  };
  const backOf = (element) =>
    once(element, () => {
      const { backgroundColor } = getComputedStyle(element);
      if (once(`opacity of ${backgroundColor}`, () => channels(backgroundColor)[3] ?? 1) > 0)
        return backgroundColor;
      return element.parentElement ? backOf(element.parentElement) : 'rgb(255, 255, 255)';
    });
  const found = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!hasText || !element.checkVisibility()) continue;
    const { color, fontSize } = getComputedStyle(element);
    const [one, other] = [color, backOf(element)]
      .map((each) => once(each, () => light(each)))
      .sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < (Number.parseFloat(fontSize) >= 24 ? 3 : 4.5))
      found.add(`${element.tagName} ${element.className}: ${ratio.toFixed(2)}`);
  }
  return [...found];
})();
