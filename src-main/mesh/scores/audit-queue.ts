import { backOffMs } from '../../base/back-off.ts';
import { DecayingWeights } from '../../base/decaying-weights.ts';
import { AuditLines, type InLine, type Sender } from './audit-lines.ts';

/** What a turn of work on a subject came to. */
export type Turn = 'done' | 'more' | 'waiting' | 'false';

/** Subjects worked on at the same time, and of those that one peer brought: most of that is waiting for the network. */
const AT_ONCE = 8;
const AT_ONCE_OF_SENDER = 4;
/** Subjects without a proven log that are kept, and of those that one peer brought. */
const MAX_UNPROVEN = 1_000;
const MAX_UNPROVEN_OF_SENDER = 256;
/** Of a peer that has brought so many false subjects without a proven log, no more are taken until half of that is forgotten. */
const MAX_FALSE_OF_SENDER = 32;
/** When a subject that had to wait, once or again and again, gets its next turn; and after how many in vain it is given up. */
const WAIT = { firstMs: 2_000, longestMs: 600_000 };
const MAX_TURNS = 8;
/** Milliseconds in which half of it is forgotten that what a peer brought could not be read, or was false. */
const HALF_LIFE_MS = 600_000;
const MAX_SENDERS = 4_096;

interface Subject extends InLine {
  readonly name: string;
  state: 'due' | 'running' | 'waiting';
  /** Somebody spoke of it during its turn. */
  again: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Gives every subject a turn, the ones with more to do again and again, those that have to wait less and less often. Proven
 * logs go first, then those of peers whose logs could be read so far; and no peer has more than half of the places. So a
 * peer that speaks of hundreds of logs that are nowhere holds up nobody but itself. What a turn costs here goes by the number of peers, however
 * many subjects there are; and between two turns everything else has its own.
 */
export class AuditQueue {
  readonly #work: (subject: string) => Promise<Turn>;
  readonly #onDrop: (subject: string) => void;
  readonly #now: () => number;
  readonly #subjects = new Map<string, Subject>();
  /** What each peer spoke of, and what of that is unproven. */
  readonly #spokenOf = new Map<string, Set<Subject>>();
  readonly #unprovenOf = new Map<string, Set<Subject>>();
  #unproven = 0;
  readonly #due = new AuditLines<Subject>();
  /** Turns under way, by subject; and the peer that each counts for. */
  readonly #running = new Map<string, { turn: Promise<void>; sender: Sender }>();
  readonly #vain = new DecayingWeights(HALF_LIFE_MS, MAX_SENDERS);
  readonly #false = new DecayingWeights(HALF_LIFE_MS, MAX_SENDERS);
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
    if (this.#false.of(sender, this.#now()) >= MAX_FALSE_OF_SENDER) return false;
    const own = this.#unprovenOf.get(sender)?.size ?? 0;
    if (own >= MAX_UNPROVEN_OF_SENDER) return false;
    return this.#unproven < MAX_UNPROVEN || this.#makesRoom(own);
  }

  /** There is something to do for this subject; it gets a turn soon, unless it is waiting for its next one. */
  push(subject: string, sender: string, proven = false): void {
    if (this.#closed) return;
    const known = this.heard(subject, sender);
    if (known) {
      if (proven && !known.proven) this.#prove(known);
      known.again ||= known.state === 'running';
      return;
    }
    const fresh: Subject = {
      name: subject,
      senders: new Set(),
      proven,
      turns: 0,
      state: 'due',
      again: false,
      timer: undefined,
    };
    this.#subjects.set(subject, fresh);
    if (!proven) this.#unproven++;
    this.#speak(fresh, sender);
    this.#due.add(fresh);
    this.#start();
  }

  /** One more peer speaks of a subject, if there is something to do for it. */
  heard(subject: string, sender: string): Subject | undefined {
    const known = this.#subjects.get(subject);
    if (!known || known.senders.has(sender)) return known;
    this.#speak(known, sender);
    if (this.#due.has(known)) this.#due.heard(known, sender);
    return known;
  }

  /** What subjects are waiting for may have come: they get a turn when those are served that did not wait yet. */
  retryAll(): void {
    for (const subject of this.#subjects.values()) if (subject.state === 'waiting') this.#resume(subject);
    this.#start();
  }

  /** A peer is gone: what it alone spoke of is given up, but for a turn under way. */
  left(sender: string): void {
    for (const subject of [...(this.#spokenOf.get(sender) ?? [])]) {
      this.#due.forget(subject, sender);
      subject.senders.delete(sender);
      if (subject.state !== 'running' && subject.senders.size === 0) this.#drop(subject);
    }
    this.#spokenOf.delete(sender);
    this.#unprovenOf.delete(sender);
  }

  /** Takes no more, and waits for the turns under way. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#subjects.values()) clearTimeout(timer);
    for (const each of [this.#subjects, this.#spokenOf, this.#unprovenOf, this.#due]) each.clear();
    await Promise.all([...this.#running.values()].map(({ turn }) => turn));
  }

  #speak(subject: Subject, sender: string): void {
    subject.senders.add(sender);
    addTo(this.#spokenOf, sender, subject);
    if (!subject.proven) addTo(this.#unprovenOf, sender, subject);
  }

  #prove(subject: Subject): void {
    const isDue = this.#due.has(subject);
    this.#due.remove(subject);
    for (const sender of subject.senders) removeFrom(this.#unprovenOf, sender, subject);
    subject.proven = true;
    this.#unproven--;
    if (isDue) this.#due.add(subject);
  }

  /** Takes the latest of the peer that has most, if the newcomer's has fewer. */
  #makesRoom(own: number): boolean {
    let greediest = new Set<Subject>();
    for (const theirs of this.#unprovenOf.values()) if (theirs.size > greediest.size) greediest = theirs;
    if (greediest.size <= own + 1) return false;
    const last = [...greediest].findLast(({ state }) => state !== 'running');
    if (last) this.#drop(last);
    return last !== undefined;
  }

  #start(): void {
    while (!this.#closed && this.#running.size < AT_ONCE) {
      const next = this.#next();
      if (!next) return;
      const { subject, sender } = next;
      this.#due.remove(subject);
      subject.state = 'running';
      // Entered before the work begins: it may push this very subject.
      const turn = new Promise(setImmediate).then(() => this.#turn(subject));
      this.#running.set(subject.name, { turn, sender });
    }
  }

  /** The subject whose turn it is, and the peer that it counts for. */
  #next(): { subject: Subject; sender: Sender } | undefined {
    const running = new Map<Sender, number>();
    for (const { sender } of this.#running.values()) running.set(sender, (running.get(sender) ?? 0) + 1);
    const now = this.#now();
    return this.#due.next(
      (sender) => {
        const places = running.get(sender) ?? 0;
        return places < AT_ONCE_OF_SENDER ? places : undefined;
      },
      (sender) => (sender === undefined ? 0 : Math.round(this.#vain.of(sender, now))),
    );
  }

  async #turn(subject: Subject): Promise<void> {
    const turn = this.#closed ? 'done' : await this.#work(subject.name);
    const sender = this.#running.get(subject.name)?.sender;
    this.#running.delete(subject.name);
    if (this.#closed) return;
    if (turn === 'false' && sender !== undefined && !subject.proven) this.#false.add(sender, 1, this.#now());
    if (turn === 'waiting') this.#wait(subject, sender);
    else if (turn === 'more' || subject.again) this.#resume(subject, 0);
    else this.#remove(subject);
    this.#start();
  }

  #wait(subject: Subject, sender: Sender): void {
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
    this.#due.remove(subject);
    Object.assign(subject, { state: 'due', again: false, turns, timer: undefined });
    this.#due.add(subject);
  }

  #drop(subject: Subject): void {
    clearTimeout(subject.timer);
    this.#remove(subject);
    this.#onDrop(subject.name);
  }

  #remove(subject: Subject): void {
    this.#due.remove(subject);
    if (!this.#subjects.delete(subject.name)) return;
    if (!subject.proven) this.#unproven--;
    for (const sender of subject.senders) {
      removeFrom(this.#spokenOf, sender, subject);
      removeFrom(this.#unprovenOf, sender, subject);
    }
  }
}

function addTo(lists: Map<string, Set<Subject>>, name: string, subject: Subject): void {
  const list = lists.get(name) ?? new Set();
  lists.set(name, list.add(subject));
}

function removeFrom(lists: Map<string, Set<Subject>>, name: string, subject: Subject): void {
  const list = lists.get(name);
  list?.delete(subject);
  if (list?.size === 0) lists.delete(name);
}
