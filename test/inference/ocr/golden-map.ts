/**
 * A map of turned rectangles with ragged edges, as test/oracle/db_boxes.py makes it from the same seed: whole numbers
 * alone decide each pixel, so that both make the same.
 */
export function goldenMap(seed: number, width: number, height: number): Float32Array {
  let state = seed >>> 0;
  const next = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % limit;
  };
  const map = new Float32Array(width * height);
  const blocks = 3 + next(4);
  for (let block = 0; block < blocks; block += 1) {
    const [cx, cy] = [30 + next(width - 60), 30 + next(height - 60)];
    const [dx, dy] = [20 + next(20), next(15) - 7];
    const [long, thick] = [400 + next(900), 120 + next(250)];
    const value = (50 + next(50)) / 100;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const along = (x - cx) * dx + (y - cy) * dy;
        const across = (y - cy) * dx - (x - cx) * dy;
        const ragged = ((x * 7 + y * 13) % 5) * 10;
        if (Math.abs(along) <= long - ragged && Math.abs(across) <= thick - ragged)
          map[y * width + x] = value;
      }
    }
  }
  return map;
}
