/**
 * The greatest of many, in one pass that keeps no more than twice as many as are wanted.
 *
 * @returns at most `count` of them, the greatest first; of equals, those that came first
 */
export function greatest<T>(items: Iterable<T>, count: number, weigh: (item: T) => number): T[] {
  let best: { item: T; weight: number }[] = [];
  let least = Number.NEGATIVE_INFINITY;
  const cut = () => {
    best = best.sort((a, b) => b.weight - a.weight).slice(0, count);
  };
  for (const item of items) {
    const weight = weigh(item);
    if (weight <= least) continue;
    best.push({ item, weight });
    if (best.length < 2 * count) continue;
    cut();
    least = best.at(-1)?.weight ?? least;
  }
  cut();
  return best.map(({ item }) => item);
}
