import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { Recording, RecordingState } from '../../../../src-preload/contract/focus.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { whyNotOffered } from '../../../../src-preload/contract/why-not-offered.ts';
import type { Changes } from '../../../base/changes.ts';
import type { FocusScoreStore } from '../../../store/focus/focus-scores.ts';
import { nextState, type StateEvent } from './states.ts';

export interface OfferedRecordingsOptions {
  store: Pick<FocusScoreStore, 'move' | 'stateOf' | 'inState'>;
  /** @throws BAD_REQUEST for one that is not there */
  get: (id: string) => Promise<Recording>;
  changes: Changes;
}

/** How far a recording is in being sold, by all its offers. */
export type HeldBy = 'sold' | 'offered' | 'none';

/** Also where what was in between was never written down: who sold it had offered it. */
const EVENTS: Record<HeldBy, readonly StateEvent[]> = {
  sold: ['offer', 'sell'],
  offered: ['offer'],
  none: ['withdraw'],
};

/** What offers at markets make of recordings. */
export class OfferedRecordings {
  readonly #options: OfferedRecordingsOptions;

  constructor(options: OfferedRecordingsOptions) {
    this.#options = options;
  }

  /** @throws BAD_REQUEST that says why it cannot be offered now */
  async refuseUnlessReady(id: string): Promise<void> {
    const { state } = await this.#options.get(id);
    const why = whyNotOffered(state);
    if (why) throw new QuarryError({ code: 'BAD_REQUEST', message: why, field: 'recording' });
  }

  /** It is offered from now on. @throws as {@link refuseUnlessReady} */
  async offer(id: string): Promise<void> {
    await this.refuseUnlessReady(id);
    if (!(await this.#move(id, 'ready', 'offer')))
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('focusScore.notNow'), field: 'recording' });
  }

  /** Brings its state in line with its offers. Leaves alone what was never ready. Idempotent. */
  async follow(id: string, held: HeldBy): Promise<void> {
    for (const event of EVENTS[held]) {
      const state = await this.#options.store.stateOf(id);
      if (state) await this.#move(id, state, event);
    }
  }

  offered(): Promise<string[]> {
    return this.#options.store.inState('offered');
  }

  async #move(id: string, from: RecordingState, event: StateEvent): Promise<boolean> {
    const to = nextState(from, event);
    const moved = to !== undefined && (await this.#options.store.move(id, { from, to }));
    if (moved) this.#options.changes.tell();
    return moved;
  }
}
