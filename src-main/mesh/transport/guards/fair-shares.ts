/**
 * Bytes that one who had little lately may have before the others; and by as much, and no more, a message that is longer comes after
 * shorter ones.
 */
const LITTLE = 64 * 1024;

/** One of those who share, by the time that they have in common. */
export interface Share {
  /** What he has had: who is before the time of all has had less than the others. */
  had: number;
  /** When he began to wait. */
  since: number;
}

/**
 * Whose turn it is among those who share one thing, each as much as the other (start-time fair queueing). The time that they have in
 * common is counted in bytes: it goes on with who is served, and who had nothing for a while, or comes new, begins where it is then. So
 * who waits is overtaken by those alone who came before him, or want little; and as the time goes on by a part of all that
 * is had, whoever has it, of those too there is an end, under however many names they come.
 */
export class FairShares {
  readonly #many: number;
  #time = 0;

  /** @param many how many share at most, as a rule */
  constructor(many: number) {
    this.#many = many;
  }

  /** Somebody new: has had his share until now. */
  enter(): Share {
    return { had: this.#time, since: this.#time };
  }

  /** Somebody wants something, and wanted nothing before. */
  arrive(share: Share): void {
    share.since = this.#time;
  }

  /** Where so many bytes of somebody who has arrived are in the order of all that is to be had: the least is next. */
  rank(share: Share, bytes: number): number {
    return startOf(share, bytes) + Math.min(bytes, LITTLE);
  }

  /** Where he will be in that order when he has had all that he waits for, of which the first part is so long. */
  endOf(share: Share, first: number, all: number): number {
    return startOf(share, 0) + all - Math.max(0, first - LITTLE);
  }

  /** Whether somebody will not have had more than his share when he has had so many bytes more. */
  isLittle({ had }: Share, bytes: number): boolean {
    return Math.max(had, this.#time - LITTLE) + bytes <= this.#time;
  }

  /** It is somebody's turn to have so many bytes: they, and what else it costs, are said by {@link FairShares.spend}. */
  begin(share: Share, bytes: number): void {
    share.had = startOf(share, bytes);
    this.#time = Math.max(this.#time, share.had);
  }

  spend(share: Share, bytes: number): void {
    share.had += bytes;
    this.#time += bytes / this.#many;
  }
}

/** Where so many bytes begin: who had less than the others does not have all of that at once. */
function startOf({ had, since }: Share, bytes: number): number {
  return Math.max(had, bytes > LITTLE ? since : since - LITTLE);
}
