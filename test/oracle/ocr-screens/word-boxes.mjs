/** Runs inside a page: every word that is wholly visible, with its ink's box. */
export function wordsOf() {
  const words = [];
  const canvas = document.createElement('canvas').getContext('2d');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const style = getComputedStyle(node.parentElement);
    canvas.font = style.font;
    for (const match of node.data.matchAll(/[^\s\u00a0]+/g)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const rects = [...range.getClientRects()];
      if (rects.length !== 1) continue;
      const [rect] = rects;
      const measure = canvas.measureText(match[0]);
      const line =
        rect.top + (rect.height - (measure.fontBoundingBoxAscent + measure.fontBoundingBoxDescent)) / 2;
      const base = line + measure.fontBoundingBoxAscent;
      const [top, bottom] = [base - measure.actualBoundingBoxAscent, base + measure.actualBoundingBoxDescent];
      if (rect.left < 0 || rect.right > innerWidth || top < 0 || bottom > innerHeight) continue;
      // What lies over it, or cuts it off, hides it.
      const hidden = [rect.left + 1, rect.right - 1].some((x) => {
        const seen = document.elementFromPoint(x, (top + bottom) / 2);
        return seen !== node.parentElement && !node.parentElement.contains(seen);
      });
      let clip = node.parentElement;
      let cut = false;
      for (; clip !== null; clip = clip.parentElement) {
        const bounds = clip.getBoundingClientRect();
        if (getComputedStyle(clip).overflow !== 'visible' && rect.right > bounds.right) cut = true;
      }
      if (hidden || cut) continue;
      const round = (value) => Math.round(value * 10) / 10;
      words.push({
        text: match[0],
        box: [rect.left, top, rect.right, bottom].map(round),
        size: Number.parseFloat(style.fontSize),
        ink: round(bottom - top),
      });
    }
  }
  return words;
}
