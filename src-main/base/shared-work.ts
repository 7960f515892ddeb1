/** Does a thing once for all who ask for it while it is being done. What came of it is not kept. */
export class SharedWork<Value> {
  readonly #underWay = new Map<string, Promise<Value>>();

  /** @throws what the work throws, for all who asked */
  take(key: string, work: () => Promise<Value>): Promise<Value> {
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const taken = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, taken);
    return taken;
  }
}
