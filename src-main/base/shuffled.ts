/** The same in another order (Fisher and Yates). @param random uniform in [0, 1) */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const mixed = [...list];
  for (let left = mixed.length - 1; left > 0; left--) {
    const at = Math.floor(random() * (left + 1));
    [mixed[left], mixed[at]] = [mixed[at] as T, mixed[left] as T];
  }
  return mixed;
}
