/** The index whose place is nearest to `wanted`; places rise with the index. −1 where there are none. */
export function nearest(count: number, placeOf: (index: number) => number, wanted: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placeOf(middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low > 0 && wanted - placeOf(low - 1) <= placeOf(low) - wanted ? low - 1 : Math.min(low, count - 1);
}

/** A point of a line, pixels; null where nothing is known. */
export type Point = readonly [x: number, y: number] | null;

/** The pieces of a line between its gaps. */
function pieces(points: readonly Point[]): (readonly [number, number])[][] {
  const found: (readonly [number, number])[][] = [];
  let piece: (readonly [number, number])[] = [];
  for (const point of [...points, null]) {
    if (point) piece.push(point);
    else if (piece.length > 0) {
      found.push(piece);
      piece = [];
    }
  }
  return found;
}

const written = ([x, y]: readonly [number, number]) => `${tenths(x)} ${tenths(y)}`;
const tenths = (value: number) => Math.round(value * 10) / 10;

/** The line as SVG wants it; a point between two gaps becomes a dot, drawn with a round end. */
export function linePath(points: readonly Point[]): string {
  return pieces(points)
    .map((piece) => `M${(piece.length > 1 ? piece : [...piece, ...piece]).map(written).join('L')}`)
    .join('');
}

/** The ground below the line, down to `bottom`. */
export function areaPath(points: readonly Point[], bottom: number): string {
  return pieces(points)
    .filter((piece) => piece.length > 1)
    .map((piece) => {
      const [first, last] = [piece[0]?.[0] ?? 0, piece.at(-1)?.[0] ?? 0];
      return `M${tenths(first)} ${tenths(bottom)}L${piece.map(written).join('L')}L${tenths(last)} ${tenths(bottom)}Z`;
    })
    .join('');
}
