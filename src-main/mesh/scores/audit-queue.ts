import { backOffMs } from '../../base/back-off.ts';
/** What a turn of work on a subject came to. */
export type Turn = 'done' | 'more' | 'waiting';

/** Subjects worked on at the same time: most of that is waiting for the network. */
const AT_ONCE = 8;
/** When a subject that had to wait, once or again and again, gets its next turn. */
const WAIT = { firstMs: 2_000, longestMs: 600_000 };

/** Gives every subject a turn, the ones with more to do again and again, those that have to wait less and less often. */
export class AuditQueue {
  readonly #work: (subject: string) => Promise<Turn>;
  readonly #due = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #waits = new Map<string, NodeJS.Timeout>();
  #closed = false;

  /** @param work must not reject */
  constructor(work: (subject: string) => Promise<Turn>) {
    this.#work = work;
  }

  /** There is something to do for this subject; it gets a turn soon, unless it is waiting for its next one. */
  push(subject: string): void {
    if (this.#closed || this.#waits.has(subject)) return;
    this.#due.add(subject);
    this.#start();
  }

  /** What a subject was waiting for may have come: it gets a turn soon. */
  retry(subject: string): void {
    clearTimeout(this.#waits.get(subject));
    this.#waits.delete(subject);
    this.push(subject);
  }

  /** Takes no more, and waits for the turns under way. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#due.clear();
    for (const timer of this.#waits.values()) clearTimeout(timer);
    this.#waits.clear();
    await Promise.all(this.#running.values());
  }

  #start(): void {
    for (const subject of this.#due) {
      if (this.#running.size >= AT_ONCE) return;
      if (this.#running.has(subject)) continue; // pushed during its turn: it gets another one after it
      this.#due.delete(subject);
      this.#running.set(subject, this.#turn(subject, 1));
    }
  }

  async #turn(subject: string, turns: number): Promise<void> {
    const turn = await this.#work(subject);
    this.#running.delete(subject);
    if (this.#closed) return;
    if (turn === 'more') this.#due.add(subject);
    if (turn === 'waiting') this.#wait(subject, turns);
    this.#start();
  }

  /** @param turns that it has had in a row, each in vain */
  #wait(subject: string, turns: number): void {
    this.#due.delete(subject);
    const timer = setTimeout(
      () => {
        this.#waits.delete(subject);
        this.#running.set(subject, this.#turn(subject, turns + 1));
      },
      backOffMs(turns, WAIT),
    );
    this.#waits.set(subject, timer);
  }
}
