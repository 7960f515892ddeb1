import { backOffMs } from '../../base/back-off.ts';
import { DecayingWeights } from '../../base/decaying-weights.ts';

/** What a turn of work on a subject came to. */
export type Turn = 'done' | 'more' | 'waiting';

/** Subjects worked on at the same time, and of those that one peer brought: most of that is waiting for the network. */
const AT_ONCE = 8;
const AT_ONCE_OF_SENDER = 4;
/** Subjects without a proven log that are kept, and of those that one peer brought. */
const MAX_UNPROVEN = 1_000;
const MAX_UNPROVEN_OF_SENDER = 256;
/** When a subject that had to wait, once or again and again, gets its next turn; and after how many in vain it is given up. */
const WAIT = { firstMs: 2_000, longestMs: 600_000 };
const MAX_TURNS = 8;
/** Milliseconds in which half of it is forgotten that what a peer brought could not be read. */
const VAIN_HALF_LIFE_MS = 600_000;
const MAX_SENDERS = 4_096;

interface Subject {
  readonly name: string;
  /** Peers that spoke of it and are still there. Without any it is not waited for. */
  readonly senders: Set<string>;
  proven: boolean;
  state: 'due' | 'running' | 'waiting';
  /** Somebody spoke of it during its turn. */
  again: boolean;
  /** Turns in a row, each in vain. */
  turns: number;
  timer: NodeJS.Timeout | undefined;
}

/** How soon a subject's turn comes: compared field by field, the lower goes first. */
type Rank = [doubtful: number, turns: number, unproven: number, running: number, vain: number];

/**
 * Gives every subject a turn, the ones with more to do again and again, those that have to wait less and less often. Proven
 * logs go first, then those of peers whose logs could be read so far; and no peer has more than half of the places. So a
 * peer that speaks of hundreds of logs that are nowhere holds up nobody but itself.
 */
export class AuditQueue {
  readonly #work: (subject: string) => Promise<Turn>;
  readonly #onDrop: (subject: string) => void;
  readonly #now: () => number;
  readonly #subjects = new Map<string, Subject>();
  /** Turns under way, by subject; and the peer that each counts for. */
  readonly #running = new Map<string, { turn: Promise<void>; sender: string | undefined }>();
  readonly #vain = new DecayingWeights(VAIN_HALF_LIFE_MS, MAX_SENDERS);
  #closed = false;

  /**
   * @param work must not reject
   * @param options.onDrop nothing more will be done for this subject; not called for one that was done
   */
  constructor(
    work: (subject: string) => Promise<Turn>,
    options: { onDrop?: (subject: string) => void; now?: () => number } = {},
  ) {
    this.#work = work;
    this.#onDrop = options.onDrop ?? (() => {});
    this.#now = options.now ?? Date.now;
  }

  get size(): number {
    return this.#subjects.size;
  }

  /** Whether there is room for a subject that this peer speaks of. Proven logs are few enough: there is always room. */
  admits(subject: string, sender: string, proven: boolean): boolean {
    if (this.#closed) return false;
    if (proven || this.#subjects.has(subject)) return true;
    const unproven = [...this.#subjects.values()].filter((one) => !one.proven);
    const own = unproven.filter(({ senders }) => senders.has(sender)).length;
    if (own >= MAX_UNPROVEN_OF_SENDER) return false;
    return unproven.length < MAX_UNPROVEN || this.#makesRoom(unproven, own);
  }

  /** There is something to do for this subject; it gets a turn soon, unless it is waiting for its next one. */
  push(subject: string, sender: string, proven = false): void {
    if (this.#closed) return;
    const known = this.heard(subject, sender);
    if (known) {
      known.proven ||= proven;
      known.again ||= known.state === 'running';
      return;
    }
    const senders = new Set([sender]);
    const fresh: Subject = { name: subject, senders, proven, state: 'due', again: false, turns: 0, timer: undefined };
    this.#subjects.set(subject, fresh);
    this.#start();
  }

  /** One more peer speaks of a subject, if there is something to do for it. */
  heard(subject: string, sender: string): Subject | undefined {
    const known = this.#subjects.get(subject);
    known?.senders.add(sender);
    return known;
  }

  /** What subjects are waiting for may have come: they get a turn when those are served that did not wait yet. */
  retryAll(): void {
    for (const subject of this.#subjects.values()) if (subject.state === 'waiting') this.#resume(subject);
    this.#start();
  }

  /** A peer is gone: what it alone spoke of is given up, but for a turn under way. */
  left(sender: string): void {
    for (const subject of this.#subjects.values()) {
      subject.senders.delete(sender);
      if (subject.state !== 'running' && subject.senders.size === 0) this.#drop(subject);
    }
  }

  /** Takes no more, and waits for the turns under way. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#subjects.values()) clearTimeout(timer);
    this.#subjects.clear();
    await Promise.all([...this.#running.values()].map(({ turn }) => turn));
  }

  /** Takes the latest of the peer that has most, if the newcomer's has fewer. */
  #makesRoom(unproven: Subject[], own: number): boolean {
    const counts = new Map<string, number>();
    for (const { senders } of unproven) {
      for (const sender of senders) counts.set(sender, (counts.get(sender) ?? 0) + 1);
    }
    const [greediest] = [...counts].reduce((a, b) => (a[1] >= b[1] ? a : b), ['', own + 1]);
    const theirs = unproven.filter(({ senders, state }) => senders.has(greediest) && state !== 'running');
    const last = theirs.at(-1);
    if (last) this.#drop(last);
    return last !== undefined;
  }

  #start(): void {
    while (!this.#closed && this.#running.size < AT_ONCE) {
      const next = this.#next();
      if (!next) return;
      next.subject.state = 'running';
      const sender = next.sender;
      // Entered before the work begins: it may push this very subject.
      const turn = Promise.resolve().then(() => this.#turn(next.subject));
      this.#running.set(next.subject.name, { turn, sender });
    }
  }

  /** The subject whose turn it is, and the peer that it counts for. */
  #next(): { subject: Subject; sender: string | undefined } | undefined {
    const running = new Map<string | undefined, number>();
    for (const { sender } of this.#running.values()) running.set(sender, (running.get(sender) ?? 0) + 1);
    let best: { subject: Subject; sender: string | undefined; rank: Rank } | undefined;
    for (const subject of this.#subjects.values()) {
      if (subject.state !== 'due') continue;
      for (const sender of subject.senders.size > 0 ? subject.senders : [undefined]) {
        const places = running.get(sender) ?? 0;
        if (places >= AT_ONCE_OF_SENDER) continue;
        const rank = this.#rank(subject, sender, places);
        if (!best || isBefore(rank, best.rank)) best = { subject, sender, rank };
      }
    }
    return best;
  }

  #rank({ proven, turns }: Subject, sender: string | undefined, running: number): Rank {
    const vain = sender === undefined ? 0 : Math.round(this.#vain.of(sender, this.#now()));
    return [!proven && vain > 0 ? 1 : 0, turns, proven ? 0 : 1, running, vain];
  }

  async #turn(subject: Subject): Promise<void> {
    const turn = await this.#work(subject.name);
    const sender = this.#running.get(subject.name)?.sender;
    this.#running.delete(subject.name);
    if (this.#closed) return;
    if (turn === 'waiting') this.#wait(subject, sender);
    else if (turn === 'more' || subject.again) this.#resume(subject, 0);
    else this.#subjects.delete(subject.name);
    this.#start();
  }

  #wait(subject: Subject, sender: string | undefined): void {
    if (sender !== undefined) this.#vain.add(sender, 1, this.#now());
    subject.turns++;
    subject.again = false;
    if (subject.senders.size === 0 || subject.turns >= MAX_TURNS) {
      this.#drop(subject);
      return;
    }
    subject.state = 'waiting';
    subject.timer = setTimeout(
      () => {
        this.#resume(subject);
        this.#start();
      },
      backOffMs(subject.turns, WAIT),
    );
  }

  /** Puts it in the line again, behind those that came meanwhile. */
  #resume(subject: Subject, turns = subject.turns): void {
    clearTimeout(subject.timer);
    Object.assign(subject, { state: 'due', again: false, turns, timer: undefined });
    this.#subjects.delete(subject.name);
    this.#subjects.set(subject.name, subject);
  }

  #drop(subject: Subject): void {
    clearTimeout(subject.timer);
    this.#subjects.delete(subject.name);
    this.#onDrop(subject.name);
  }
}

function isBefore(a: Rank, b: Rank): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}
