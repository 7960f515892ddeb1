/** What is known of a subject that has to do with when its turn comes. */
export interface InLine {
  /** Peers that spoke of it and are still there. Without any it is not waited for. */
  readonly senders: Set<string>;
  proven: boolean;
  /** Turns in a row, each in vain. */
  turns: number;
}

/** A peer that a turn counts for; undefined when all have gone that spoke of the subject. */
export type Sender = string | undefined;

/** How soon a subject's turn comes: compared field by field, the lower goes first. */
type Rank = [doubtful: number, turns: number, unproven: number, running: number, vain: number, came: number];

/**
 * Subjects that are due, in a line for every peer that spoke of them: who is next is found by looking at the heads of the lines, however many
 * stand behind.
 */
export class AuditLines<Subject extends InLine> {
  /** Of every peer: its subjects by turns and proof, in the order in which they came. */
  readonly #lines = new Map<Sender, Map<number, Set<Subject>>>();
  /** When each subject came. */
  readonly #came = new Map<Subject, number>();
  #count = 0;

  add(subject: Subject): void {
    this.#came.set(subject, this.#count++);
    for (const sender of sendersOf(subject)) this.#line(sender, subject).add(subject);
  }

  has(subject: Subject): boolean {
    return this.#came.has(subject);
  }

  /** One more peer speaks of a subject that is due. */
  heard(subject: Subject, sender: string): void {
    this.forget(subject, undefined);
    this.#line(sender, subject).add(subject);
  }

  /** Takes a subject out, before anything of it changes. */
  remove(subject: Subject): void {
    if (!this.#came.delete(subject)) return;
    for (const sender of sendersOf(subject)) this.forget(subject, sender);
  }

  /** A peer does not speak of the subject any more. */
  forget(subject: Subject, sender: Sender): void {
    const lines = this.#lines.get(sender);
    const line = lines?.get(kindOf(subject));
    line?.delete(subject);
    if (line?.size === 0) lines?.delete(kindOf(subject));
    if (lines?.size === 0) this.#lines.delete(sender);
  }

  /**
   * The subject whose turn it is, and the peer that it counts for. It stays in its lines.
   *
   * @param running turns under way of a peer; undefined when it may have no other
   * @param vain how often a peer was waited for in vain
   */
  next(
    running: (sender: Sender) => number | undefined,
    vain: (sender: Sender) => number,
  ): { subject: Subject; sender: Sender } | undefined {
    let best: { subject: Subject; sender: Sender; rank: Rank } | undefined;
    for (const [sender, lines] of this.#lines) {
      const places = running(sender);
      if (places === undefined) continue;
      const inVain = vain(sender);
      for (const line of lines.values()) {
        const [subject] = line;
        if (!subject) continue;
        const unproven = subject.proven ? 0 : 1;
        const doubtful = inVain > 0 ? unproven : 0;
        const rank: Rank = [doubtful, subject.turns, unproven, places, inVain, this.#came.get(subject) ?? 0];
        if (!best || isBefore(rank, best.rank)) best = { subject, sender, rank };
      }
    }
    return best;
  }

  clear(): void {
    this.#lines.clear();
    this.#came.clear();
  }

  #line(sender: Sender, subject: Subject): Set<Subject> {
    const lines = this.#lines.get(sender) ?? new Map<number, Set<Subject>>();
    this.#lines.set(sender, lines);
    const line = lines.get(kindOf(subject)) ?? new Set();
    lines.set(kindOf(subject), line);
    return line;
  }
}

function kindOf({ turns, proven }: InLine): number {
  return 2 * turns + (proven ? 0 : 1);
}

function sendersOf({ senders }: InLine): Iterable<Sender> {
  return senders.size > 0 ? senders : [undefined];
}

function isBefore(a: Rank, b: Rank): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}
