import { setImmediate as breath } from 'node:timers/promises';
import type { KeptScore, MarketExaminationStore } from '../../../../store/market-examinations.ts';
import { copied } from '../../focus/rules/copy.ts';
import { picturesOf } from '../../focus/rules/picture-changes.ts';

/** For so long the same content has the same score, milliseconds. */
const KEPT_MS = 30 * 86_400_000;

/** How a video looks from second to second: 16 hex; null where nothing is to be said. */
export type Pictures = readonly (string | null)[];

export interface Alike {
  score: KeptScore;
  /** It waits for a person, is for sale, or was sold. */
  isOffered: boolean;
}

/** Scores by what they were given for: the same bytes, or the same pictures in the same rhythm, are not scored again. */
export class KnownContent {
  readonly #store: MarketExaminationStore;
  readonly #now: () => number;

  /** @param now Unix milliseconds */
  constructor(store: MarketExaminationStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  ofBytes(sha256: string): Promise<KeptScore | undefined> {
    return this.#store.score(sha256, this.#since());
  }

  /** The one that it is a copy of, also cut or encoded again; first of all one that is offered. */
  async ofPictures(pictures: Pictures): Promise<Alike | undefined> {
    const own = picturesOf(secondsOf(pictures));
    for (const { pictures: text, isOffered, ...score } of await this.#store.scoresWithPictures(this.#since())) {
      if (copied(own, picturesOf(secondsOf(read(text)))) > 0) return { score, isOffered };
      await breath(); // others are served between two comparisons
    }
    return undefined;
  }

  async keep(sha256: string, pictures: Pictures, score: KeptScore): Promise<void> {
    const at = this.#now();
    await this.#store.forgetScores(this.#since());
    await this.#store.keepScore({ ...score, sha256, pictures: written(pictures), at });
  }

  #since(): number {
    return this.#now() - KEPT_MS;
  }
}

const secondsOf = (pictures: Pictures) => pictures.map((picture) => ({ picture }));

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
