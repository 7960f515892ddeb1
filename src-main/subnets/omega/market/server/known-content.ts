import { sha256 as hashOf } from '../../../../base/sha256.ts';
import { Slices } from '../../../../base/slices.ts';
import type { KeptScore, MarketExaminationStore } from '../../../../store/market/market-examinations.ts';
import type { Offer } from '../../../../store/market/market-rows.ts';
import { SHARE } from '../../focus/rules/copy.ts';
import { Looks, type Pictures } from './likeness.ts';

/** For so long the same content has the same score, milliseconds. */
const KEPT_MS = 30 * 86_400_000;

/** What is known of a content that comes in. */
export interface Known {
  /** What it, or what is as long and as good as all the same, was found to be worth for this task. */
  score: KeptScore | undefined;
  /** How often it, or what a good part of it is in, was scored, for whichever task. */
  scored: number;
  /** A good part of it waits for a person, is for sale, or was sold. */
  isOffered: boolean;
  /** The same, and something of that was sold. */
  isSold: boolean;
  /** A person has refused a copy. */
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
    const known = { scored: scores.length, isRefused: kept?.isRefused ?? false };
    const own = new Looks(read(kept?.pictures ?? ''));
    const slices = new Slices();
    let [offered, isSold] = [0, false];
    for await (const other of this.#store.contentsBeside(offer.sha256, this.#since())) {
      const { common, isCopy, isPart, isSame } = await own.to(read(other.pictures), slices);
      if (!isCopy) continue;
      known.isRefused ||= other.isRefused;
      if (other.offered) offered += common;
      isSold ||= other.offered === 'purchased';
      const others = isPart ? await this.#store.scores(other.sha256, this.#since()) : [];
      known.scored += others.length;
      if (isSame) scores.push(...others);
    }
    const task = taskOf(offer);
    // Put together of several that are offered, it is as little new.
    const isOffered = offered > 0 && offered >= SHARE * own.count;
    return { ...known, isOffered, isSold: isOffered && isSold, score: scores.find((score) => score.task === task) };
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
