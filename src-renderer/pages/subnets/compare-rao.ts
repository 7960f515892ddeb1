/** The order of two amounts of rao, as `toSorted` wants it. They are digits without zeros before them: the longer one is more. */
export function compareRao(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : one > other ? 1 : 0;
}
