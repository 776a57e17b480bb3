export interface Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Lays out tiles for values in descending order, as close to squares as possible (Bruls, Huizing and van Wijk). */
export function squarify(values: readonly number[], width: number, height: number): readonly Tile[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  if (total <= 0 || width <= 0 || height <= 0) return [];
  const areas = values.map((value) => (value / total) * width * height);
  const tiles: Tile[] = [];
  const free = { x: 0, y: 0, width, height };
  for (let from = 0; from < areas.length;) {
    const side = Math.min(free.width, free.height);
    let to = from + 1;
    while (to < areas.length && worst(areas.slice(from, to + 1), side) <= worst(areas.slice(from, to), side)) to++;
    const row = areas.slice(from, to);
    const area = row.reduce((sum, value) => sum + value, 0);
    const isWide = free.width >= free.height;
    const depth = side === 0 ? 0 : area / side;
    let along = isWide ? free.y : free.x;
    for (const value of row) {
      const length = depth === 0 ? 0 : value / depth;
      tiles.push(isWide ? { x: free.x, y: along, width: depth, height: length } : { x: along, y: free.y, width: length, height: depth });
      along += length;
    }
    if (isWide) {
      free.x += depth;
      free.width -= depth;
    } else {
      free.y += depth;
      free.height -= depth;
    }
    from = to;
  }
  return tiles;
}

/** Returns how far the worst tile of a row is from a square. */
function worst(row: readonly number[], side: number): number {
  const sum = row.reduce((total, value) => total + value, 0);
  return Math.max(...row.map((value) => Math.max((side * side * value) / (sum * sum), (sum * sum) / (side * side * value))));
}
