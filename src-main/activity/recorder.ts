import type { Logger } from 'pino';
import { Turns } from '../base/turns.ts';
import type { ActivityMinute, ActivityStore } from '../store/activity.ts';
import type { ActivityState } from './state.ts';

export const MINUTE_MS = 60_000;
/** How long is remembered: a week, and the day before it that a weekday is compared with at its beginning. */
export const KEPT_MS = 8 * 86_400_000;
/** Most gaps that are remembered. */
const MOST_GAPS = 5_000;
/** Milliseconds from one look to the next. */
const LOOK_EVERY_MS = 5_000;
/** Whoever was not looked at for so long was off, or asleep. */
const OFF_MS = 60_000;

export interface ActivityRecorderOptions {
  store: ActivityStore;
  read: () => ActivityState;
  /** Requests that were refused for want of room, since the start. */
  refused: () => number;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

type Done = Pick<ActivityMinute, 'tokens' | 'answers' | 'points' | 'busy'>;

/**
 * Writes down what a miner does: a row a minute, and every time in which it was not at full speed. What runs is written when its minute is over
 * and at the end, so that a node that is killed loses no more than that minute; what it left open is ended by the next one, where it was last seen. A resource.
 */
export class ActivityRecorder {
  readonly #options: ActivityRecorderOptions;
  readonly #now: () => number;
  readonly #turns = new Turns();
  #timer: NodeJS.Timeout | undefined;
  #opened = false;
  #closed = false;
  #lookedAt = 0;
  #refused = 0;
  #state: ActivityState = { share: 0, gap: undefined, model: '' };
  #gap: { id: number; kind: string; rule: string | null } | undefined;
  #minute: ActivityMinute;

  constructor(options: ActivityRecorderOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#minute = emptyMinute(this.#now(), '');
  }

  /** Ends what the node before has left open, and begins. Idempotent. */
  async open(): Promise<void> {
    if (this.#opened || this.#closed) return;
    this.#opened = true;
    const now = this.#now();
    this.#lookedAt = now;
    this.#refused = this.#options.refused();
    await this.#turns.take(() => this.#follow(now)).catch((err: unknown) => this.#failed(err));
    this.#take(this.#options.read(), now);
    this.#timer ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  /** Writes what is not written yet. Idempotent. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#opened && !this.#closed) {
      this.look();
      this.#closed = true;
      this.#write();
      this.#endGap(this.#lookedAt);
    }
    this.#closed = true;
    await this.#turns.ended();
  }

  /** Something was done for the mesh. */
  done({ tokens = 0, answers = 0, points = 0 }: Partial<Done>): void {
    this.#minute.tokens += tokens;
    this.#minute.answers += answers;
    this.#minute.points += points;
  }

  /** So much energy was used since this was called last; it counts as mining's while the node can serve. */
  used(joules: number): void {
    if (this.#state.share > 0) this.#minute.joules += Math.round(joules);
  }

  /** The minute that runs, as far as it is over: it is not written yet. */
  current(): ActivityMinute {
    return { ...this.#minute };
  }

  /** Looks how the node is: every few seconds, and whenever that may have changed. */
  look(): void {
    if (!this.#opened || this.#closed) return;
    const now = this.#now();
    const passed = now - this.#lookedAt;
    const before = this.#lookedAt;
    this.#lookedAt = now;
    if (passed < 0 || passed > OFF_MS) this.#wasOff(before, now);
    else this.#count(passed, now);
    this.#take(this.#options.read(), now);
  }

  /** The time since the last look was as the node was then. */
  #count(passed: number, now: number): void {
    const refused = this.#options.refused();
    this.#minute.on_ms += passed;
    this.#minute.serving_ms += Math.round(passed * this.#state.share);
    this.#minute.seen = now;
    if (this.#state.share > 0) this.#minute.busy += refused - this.#refused;
    this.#refused = refused;
    if (minuteOf(now) !== this.#minute.at) this.#write();
  }

  /** Nothing ran between the two times, or the clock was set. */
  #wasOff(from: number, to: number): void {
    this.#write();
    this.#endGap(from);
    if (to > from) this.#later((store) => store.begin({ began: from, ended: to, kind: 'off', rule: null }));
  }

  #take(state: ActivityState, now: number): void {
    if (state.model !== this.#minute.model || minuteOf(now) !== this.#minute.at) this.#write();
    if (isNothing(this.#minute)) this.#minute = emptyMinute(now, state.model);
    this.#state = state;
    const { gap } = state;
    if (gap?.kind === this.#gap?.kind && (gap?.rule ?? null) === (this.#gap?.rule ?? null)) return;
    this.#endGap(now);
    if (!gap) return;
    const begun = { id: 0, ...gap };
    this.#gap = begun;
    this.#later(async (store) => {
      begun.id = await store.begin({ began: now, ended: null, ...gap });
    });
  }

  #endGap(at: number): void {
    const gap = this.#gap;
    this.#gap = undefined;
    if (gap) this.#later((store) => store.end(gap.id, at)); // by then it has its number
  }

  #write(): void {
    const minute = this.#minute;
    this.#minute = emptyMinute(this.#lookedAt, this.#state.model);
    if (isNothing(minute)) return;
    this.#later(async (store) => {
      await store.add(minute);
      await store.prune(minute.at - KEPT_MS, MOST_GAPS);
    });
  }

  async #follow(now: number): Promise<void> {
    const { store } = this.#options;
    const seen = (await store.lastSeen()) ?? now;
    await store.endAll(seen);
    if (now - seen > OFF_MS) await store.begin({ began: seen, ended: now, kind: 'off', rule: null });
    await store.prune(now - KEPT_MS, MOST_GAPS);
  }

  /** One after the other, and nobody waits for it: a history is worth no answer. */
  #later(work: (store: ActivityStore) => Promise<unknown>): void {
    void this.#turns.take(() => work(this.#options.store)).catch((err: unknown) => this.#failed(err));
  }

  #failed(err: unknown): void {
    this.#options.log.warn({ err }, 'what the node did could not be written down');
  }
}

function minuteOf(at: number): number {
  return at - (at % MINUTE_MS);
}

function emptyMinute(now: number, model: string): ActivityMinute {
  const nothing = { on_ms: 0, serving_ms: 0, tokens: 0, answers: 0, points: 0, busy: 0, joules: 0 };
  return { at: minuteOf(now), model, seen: now, ...nothing };
}

function isNothing({ on_ms, tokens, answers, busy }: ActivityMinute): boolean {
  return on_ms + tokens + answers + busy === 0;
}
