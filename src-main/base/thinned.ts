/** At most so many of them, evenly from all there are: the first, and others as far apart as can be. */
export function thinned<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, index) => all[Math.floor((index * all.length) / most)] as T);
}
