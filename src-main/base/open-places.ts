/**
 * Places of a queue that are open to others.
 *
 * @param queueCapacity places that there are
 * @param capacity percent of them that are open, 0–100: at least 1 place as long as that is not 0
 */
export function openPlaces(queueCapacity: number, { capacity }: { capacity: number }): number {
  return Math.ceil((queueCapacity * capacity) / 100);
}
