/**
 * Longest common subsequences, 32 places at once (Hyyrö’s way with bits): texts of strangers are compared, and time grows with the product of both lengths.
 *
 * The table has a row for each item of `one`, and how much is in common grows by 0 or 1 from place to place of `other`: a bit says it, 0 where it grows.
 */
const BITS = 32;
const MOST = 2 ** BITS - 1;

/** How long the longest common subsequence is. */
export function commonLength<Item>(one: readonly Item[], other: readonly Item[]): number {
  const places = placesOf(other);
  let row = firstRow(other.length);
  let next = firstRow(other.length);
  for (const item of one) {
    fillNext(next, row, places.get(item));
    [row, next] = [next, row];
  }
  return row.reduce((sum, bits) => sum + zerosIn(bits), 0);
}

/**
 * One longest common subsequence. Of several it is the one that the Python package `rouge` finds, because it matters which words it has: from the end, it takes
 * what is alike, and goes back in `one` only where that loses less than going back in `other` does. That is where the row grows: there the one above has as much.
 */
export function commonItems<Item>(one: readonly Item[], other: readonly Item[]): Item[] {
  const places = placesOf(other);
  const known = one.filter((item) => places.has(item)); // others change neither the table nor which items are taken
  const table = tableOf(known, places, other.length);
  const common: Item[] = [];
  let [i, j] = [known.length - 1, other.length - 1];
  while (i >= 0 && j >= 0) {
    const item = known[i] as Item;
    if (item === other[j]) {
      common.push(item);
      i--;
      j--;
    } else if (hasBit(table[i] as Uint32Array, j)) j--;
    else i--;
  }
  return common.reverse();
}

function tableOf<Item>(one: readonly Item[], places: ReadonlyMap<Item, Uint32Array>, length: number): Uint32Array[] {
  let row = firstRow(length);
  return one.map((item) => {
    const next = new Uint32Array(row.length);
    fillNext(next, row, places.get(item));
    row = next;
    return next;
  });
}

/** A row in which nothing is in common. */
const firstRow = (length: number) => new Uint32Array(Math.ceil(length / BITS)).fill(MOST);

/** Where each item stands, as bits. */
function placesOf<Item>(items: readonly Item[]): Map<Item, Uint32Array> {
  const places = new Map<Item, Uint32Array>();
  for (const [at, item] of items.entries()) {
    const mask = places.get(item) ?? new Uint32Array(Math.ceil(items.length / BITS));
    mask[at >> 5] = (mask[at >> 5] as number) | (1 << (at & 31));
    places.set(item, mask);
  }
  return places;
}

/** @param mask where the item stands; undefined where it does not, and nothing is gained */
function fillNext(next: Uint32Array, row: Uint32Array, mask: Uint32Array | undefined): void {
  let carry = 0;
  for (let at = 0; at < row.length; at++) {
    const bits = row[at] as number;
    const alike = bits & (mask?.[at] ?? 0);
    const sum = bits + (alike >>> 0) + carry;
    carry = sum > MOST ? 1 : 0;
    next[at] = sum | (bits & ~alike);
  }
}

const hasBit = (row: Uint32Array, at: number) => (((row[at >> 5] as number) >>> (at & 31)) & 1) === 1;

function zerosIn(bits: number): number {
  let left = ~bits >>> 0;
  let count = 0;
  for (; left !== 0; count++) left = (left & (left - 1)) >>> 0;
  return count;
}
