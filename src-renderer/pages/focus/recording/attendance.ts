import type { Presence } from '../../../../src-preload/contract/focus.ts';
import { ignoring } from '../../../api/ignoring.ts';
import { Idleness } from './idleness.ts';

const LOOK_MS = 1_000;

export interface AttendanceNeeds {
  /** Asks the node who is there, and what is in sight. */
  ask(): Promise<Presence>;
  /** Whether this page runs on the node’s computer: only then what that one tells is about who records. */
  isHere: boolean;
  /** What happened since the last look; asked only while nothing is recorded. */
  look(): { motion: number; used: boolean };
  /** Whether somebody paused by hand: then nothing pauses or goes on by itself. */
  isPaused(): boolean;
  /** Nobody is there, or somebody is again. */
  idle(isIdle: boolean): void;
  /** A window is in sight that is never recorded; undefined once none is. */
  covered(name: string | undefined): void;
  /** Milliseconds that never go back. Default: since the page was opened. */
  now?: () => number;
}

/** Looks every second whether somebody is at work, and whether anything is in sight that must not be recorded. To be closed. */
export class Attendance {
  readonly #needs: AttendanceNeeds;
  readonly #idleness: Idleness;
  readonly #timer: ReturnType<typeof setInterval>;
  #isIdle = false;
  #isAsking = false;

  constructor(needs: AttendanceNeeds) {
    this.#needs = needs;
    this.#idleness = new Idleness(needs.now);
    this.#timer = setInterval(() => this.look(), LOOK_MS);
  }

  /** What was recorded in the last second. */
  saw(seen: { motion: number; used: boolean }): void {
    this.#idleness.saw(seen);
  }

  /** Somebody is there: they say so themselves. */
  begin(): void {
    this.#idleness.begin();
    this.look();
  }

  /** One look. */
  look(): void {
    const { isPaused, look, idle } = this.#needs;
    void this.#ask();
    if (isPaused()) this.#idleness.begin();
    else if (this.#isIdle) this.#idleness.saw(look());
    this.#isIdle = this.#idleness.isIdle;
    idle(this.#isIdle);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const told = await this.#needs.ask().catch(ignoring('the node is away: the page’s own eyes are enough'));
    this.#isAsking = false;
    if (!told) return;
    this.#idleness.afterMs = told.pauseAfterMs;
    this.#idleness.heard(this.#needs.isHere ? told.idleMs : null);
    this.#needs.covered(told.covered ?? undefined);
  }
}
