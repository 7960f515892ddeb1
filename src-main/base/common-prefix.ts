/** How many elements two lists begin with in common. */
export function commonPrefix<Element>(a: readonly Element[], b: readonly Element[]): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    if (a[i] !== b[i]) return i;
  }
  return end;
}
