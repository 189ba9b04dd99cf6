// Evaluated in a page: its texts whose contrast is below WCAG's AA, 4.5 to 1, or 3 to 1 where they are large.
(() => {
  const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const light = (colour) => {
    const [r, g, b] = channels(colour).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backOf = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const { backgroundColor } = getComputedStyle(each);
      if ((channels(backgroundColor)[3] ?? 1) > 0) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const found = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!hasText || !element.checkVisibility()) continue;
    const { color, fontSize } = getComputedStyle(element);
    const [one, other] = [light(color), light(backOf(element))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < (Number.parseFloat(fontSize) >= 24 ? 3 : 4.5))
      found.add(`${element.tagName} ${element.className}: ${ratio.toFixed(2)}`);
  }
  return [...found];
})();
