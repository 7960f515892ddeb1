import { setImmediate as breath } from 'node:timers/promises';
import type { OfferState } from '../../../../../src-preload/contract/market-names.ts';
import { sha256 as hashOf } from '../../../../base/sha256.ts';
import type { KeptScore, MarketExaminationStore } from '../../../../store/market-examinations.ts';
import type { Offer } from '../../../../store/market-rows.ts';
import { copied } from '../../focus/rules/copy.ts';
import { picturesOf } from '../../focus/rules/picture-changes.ts';

/** For so long the same content has the same score, milliseconds. */
const KEPT_MS = 30 * 86_400_000;

/** How a video looks from second to second: 16 hex; null where nothing is to be said. */
export type Pictures = readonly (string | null)[];

/** What is known of a content that comes in. */
export interface Known {
  /** What it was found to be worth for this task. */
  score: KeptScore | undefined;
  /** How often it was scored, for whichever task. */
  scored: number;
  /** What shows the same waits for a person, is for sale, or was sold. */
  offered: OfferState | undefined;
  /** A person has refused what shows the same. */
  isRefused: boolean;
}

/**
 * What was offered before, by its bytes and its pictures: for the same task it has the same score, and it is sold once. Whether the bytes are known or not,
 * its pictures are compared: else bytes that were looked at before would be a way around.
 */
export class KnownContent {
  readonly #store: MarketExaminationStore;
  readonly #now: () => number;

  /** @param now Unix milliseconds */
  constructor(store: MarketExaminationStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** From now on it is known how these bytes look. Where that is known, nobody looks. */
  async note(sha256: string, look: () => Promise<Pictures>): Promise<void> {
    await this.#store.forgetContents(this.#since());
    const pictures = (await this.#store.content(sha256))?.pictures ?? written(await look());
    await this.#store.keepContent({ sha256, pictures, at: this.#now() });
  }

  /** @param offer one that was noted */
  async of(offer: Pick<Offer, 'sha256' | 'title' | 'description'>): Promise<Known> {
    const kept = await this.#store.content(offer.sha256);
    const scores = await this.#store.scores(offer.sha256, this.#since());
    const known: Known = {
      score: undefined,
      scored: 0,
      offered: undefined,
      isRefused: kept?.isRefused ?? false,
    };
    const own = changesOf(kept?.pictures ?? '');
    for await (const other of this.#store.contentsBeside(offer.sha256, this.#since())) {
      await breath(); // others are served between two comparisons
      if (copied(own, changesOf(other.pictures)) === 0) continue;
      known.offered ??= other.offered ?? undefined;
      known.isRefused ||= other.isRefused;
      scores.push(...(await this.#store.scores(other.sha256, this.#since())));
    }
    const task = taskOf(offer);
    return { ...known, score: scores.find((score) => score.task === task), scored: scores.length };
  }

  keep(offer: Pick<Offer, 'sha256' | 'title' | 'description'>, score: KeptScore): Promise<void> {
    return this.#store.keepScore({ ...score, sha256: offer.sha256, task: taskOf(offer), at: this.#now() });
  }

  /** A person has: from now on, as long as it is known, a person looks at whatever shows the same. */
  refuse(sha256: string): Promise<void> {
    return this.#store.refuse(sha256, this.#now());
  }

  #since(): number {
    return this.#now() - KEPT_MS;
  }
}

/** What a scorer reads of a task. In other words it is another task, and these have not been searched for orders. */
const taskOf = ({ title, description }: Pick<Offer, 'title' | 'description'>) =>
  hashOf(JSON.stringify([title, description])).toString('hex');

const changesOf = (text: string) => picturesOf(read(text).map((picture) => ({ picture })));

/** One after the other, with commas; nothing where it is as the one before. */
function written(pictures: Pictures): string {
  let last: string | null = null;
  const changes = pictures.map((picture) => {
    if (picture === null || picture === last) return '';
    last = picture;
    return picture;
  });
  return changes.join(',');
}

const read = (text: string): Pictures => text.split(',').map((picture) => picture || null);
