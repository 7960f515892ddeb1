/** From so many items on, those that are frequent are no places to begin at. */
const POPULAR_FROM = 200;
/** So many pairs of places are looked at. What an honest pair of answers takes is a hundredth of it. */
const MOST_STEPS = 20_000_000;

interface Range {
  fromA: number;
  toA: number;
  fromB: number;
  toB: number;
}

interface Match {
  a: number;
  b: number;
  size: number;
}

/**
 * How alike two lists are, 0–1, as Python’s `difflib.SequenceMatcher(None, a, b).ratio()` says, with what it leaves out by itself in long lists. That can take
 * time that grows with the third power of the length, for texts made for it: after {@link MOST_STEPS} it ends, and what was matched until then counts.
 */
export function sequenceRatio(a: readonly number[], b: readonly number[]): number {
  if (a.length + b.length === 0) return 1;
  const matcher = new Matcher(a, b);
  return (2 * matcher.matched()) / (a.length + b.length);
}

class Matcher {
  readonly #a: readonly number[];
  readonly #b: readonly number[];
  /** For each place of `a`, where in `b` the same stands. */
  readonly #places: readonly (readonly number[])[];
  #left = MOST_STEPS;
  /** How long the match is that ends before a place of `b`, for two places of `a`; all 0 when nothing is looked for. */
  readonly #rows: readonly [Uint32Array, Uint32Array];

  constructor(a: readonly number[], b: readonly number[]) {
    this.#a = a;
    this.#b = b;
    const places = placesOf(b);
    this.#places = a.map((item) => places.get(item) ?? []);
    this.#rows = [new Uint32Array(b.length + 1), new Uint32Array(b.length + 1)];
  }

  /** How many items are in blocks that both have in the same order: the longest block, and then the same on both sides of it. */
  matched(): number {
    let sum = 0;
    const waiting: Range[] = [{ fromA: 0, toA: this.#a.length, fromB: 0, toB: this.#b.length }];
    for (let range = waiting.pop(); range && this.#left > 0; range = waiting.pop()) {
      const { a, b, size } = this.#longest(range);
      if (size === 0) continue;
      sum += size;
      if (range.fromA < a && range.fromB < b) waiting.push({ ...range, toA: a, toB: b });
      if (a + size < range.toA && b + size < range.toB) waiting.push({ ...range, fromA: a + size, fromB: b + size });
    }
    return sum;
  }

  /** The longest block of a range, of several the first in `a`, then in `b`. It begins at items that are not popular, and is drawn out over any. */
  #longest(range: Range): Match {
    let best: Match = { a: range.fromA, b: range.fromB, size: 0 };
    let [row, before] = this.#rows;
    let [marked, markedBefore]: [number[], number[]] = [[], []];
    let left = this.#left; // a field would cost as much as all the rest
    for (let i = range.fromA; i < range.toA && left > 0; i++) {
      left--;
      for (const j of this.#places[i] as readonly number[]) {
        if (j >= range.toB) break;
        left--;
        if (j < range.fromB) continue;
        const size = (before[j] as number) + 1;
        row[j + 1] = size;
        marked.push(j + 1);
        if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
      }
      for (const at of markedBefore) before[at] = 0;
      markedBefore.length = 0;
      [row, before] = [before, row];
      [marked, markedBefore] = [markedBefore, marked];
    }
    for (const at of markedBefore) before[at] = 0;
    this.#left = left;
    return this.#drawnOut(best, range);
  }

  #drawnOut({ a, b, size }: Match, { fromA, toA, fromB, toB }: Range): Match {
    while (a > fromA && b > fromB && this.#a[a - 1] === this.#b[b - 1]) {
      a--;
      b--;
      size++;
    }
    while (a + size < toA && b + size < toB && this.#a[a + size] === this.#b[b + size]) size++;
    return { a, b, size };
  }
}

/** Where each item stands; without those that make up more than a hundredth of a long list. */
function placesOf(items: readonly number[]): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const [at, item] of items.entries()) {
    const known = places.get(item);
    if (known) known.push(at);
    else places.set(item, [at]);
  }
  if (items.length < POPULAR_FROM) return places;
  const most = Math.floor(items.length / 100) + 1;
  for (const [item, { length }] of places) if (length > most) places.delete(item);
  return places;
}
