/** A mean of values that come one by one. */
export class Mean {
  #sum = 0;
  count = 0;

  add(value: number): void {
    this.#sum += value;
    this.count++;
  }

  /** Null before the first. */
  get value(): number | null {
    return this.count === 0 ? null : this.#sum / this.count;
  }
}

/** The mean of all that are known; null where none is. */
export function meanOf(means: Iterable<Mean>): number | null {
  const all = new Mean();
  for (const { value } of means) if (value !== null) all.add(value);
  return all.value;
}
