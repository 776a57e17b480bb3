export interface Spot {
  readonly x: number;
  readonly y: number;
}

interface Box extends Spot {
  readonly width: number;
  readonly height: number;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
}

const CHAR_WIDTH = 6;
const LINE_HEIGHT = 11;
const POINT_SIZE = 8;
const DISTANCES = [10, 14, 19, 25, 32, 40, 50, 62, 76];
const DIRECTIONS = 16;

/** Where the middle of each label goes, beside its point: the nearest place where it covers no point and no other label. */
export function labelPlaces(points: readonly (Spot & { readonly label: string })[], { width, height }: Frame): readonly Spot[] {
  const taken: Box[] = points.map(({ x, y }) => ({ x, y, width: POINT_SIZE, height: POINT_SIZE }));
  return points.map(({ x, y, label }) => {
    const size = { width: CHAR_WIDTH * label.length, height: LINE_HEIGHT };
    const places = DISTANCES.flatMap((distance) => ring(distance, size.width)).map((step) => ({ x: x + step.x, y: y + step.y, ...size }));
    const inside = places.filter((place) => liesIn(place, width, height));
    const covered = inside.map((place) => taken.reduce((sum, other) => sum + overlap(place, other), 0));
    const place = inside[covered.indexOf(Math.min(...covered))] ?? { x, y, ...size };
    taken.push(place);
    return { x: place.x, y: place.y };
  });
}

/** Around a point, first to its right and above it. Wide labels lie further off to the sides. */
function ring(distance: number, width: number): Spot[] {
  return Array.from({ length: DIRECTIONS }, (_, number) => {
    const angle = (2 * Math.PI * (number + 1)) / DIRECTIONS;
    const aside = Math.cos(angle);
    return { x: aside * (distance + width / 2 - CHAR_WIDTH / 2), y: -Math.sin(angle) * distance };
  });
}

function liesIn({ x, y, width, height }: Box, frameWidth: number, frameHeight: number): boolean {
  return x - width / 2 >= 0 && x + width / 2 <= frameWidth && y - height / 2 >= 0 && y + height / 2 <= frameHeight;
}

function overlap(a: Box, b: Box): number {
  const across = Math.min(a.x + a.width / 2, b.x + b.width / 2) - Math.max(a.x - a.width / 2, b.x - b.width / 2);
  const down = Math.min(a.y + a.height / 2, b.y + b.height / 2) - Math.max(a.y - a.height / 2, b.y - b.height / 2);
  return across > 0 && down > 0 ? across * down : 0;
}
