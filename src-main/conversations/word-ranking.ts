/** Most words of a question that are looked for. */
const MOST_WORDS = 32;

/** The usual numbers of BM25: how soon more of the same word say nothing more, and how much less it says in a long passage. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

interface Found {
  id: number;
  chars: number;
  /** How often each word is in it, by the place of the word. */
  counts: Map<number, number>;
}

/**
 * Ranks passages by the words of a question (BM25), whatever their case and accents. It reads every passage: an index would have to
 * forget passages too, which takes longer than all the reading.
 */
export class WordRanking {
  readonly #places: ReadonlyMap<string, number>;
  readonly #pattern: RegExp | undefined;
  readonly #found: Found[] = [];
  /** Of each word: how many passages have it. */
  readonly #having: number[];
  #passages = 0;
  #chars = 0;

  constructor(question: string) {
    const words = [...new Set(plain(question).match(/[\p{L}\p{N}]+/gu))].slice(0, MOST_WORDS);
    this.#places = new Map(words.map((word, place) => [word, place]));
    this.#having = words.map(() => 0);
    if (words.length > 0)
      this.#pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  }

  /** @returns whether passages are to be read: the question has words */
  get hasWords(): boolean {
    return this.#pattern !== undefined;
  }

  read({ id, text }: { id: number; text: string }): void {
    this.#passages++;
    this.#chars += text.length;
    if (!this.#pattern) return;
    const counts = new Map<number, number>();
    for (const word of plain(text).match(this.#pattern) ?? []) {
      const place = this.#places.get(word) ?? 0;
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    if (counts.size === 0) return;
    for (const place of counts.keys()) this.#having[place] = (this.#having[place] ?? 0) + 1;
    this.#found.push({ id, chars: text.length, counts });
  }

  /** Ids of passages that were read and have words of the question, the best first. */
  best(limit: number): number[] {
    const rarity = this.#having.map((having) => Math.log(1 + (this.#passages - having + 0.5) / (having + 0.5)));
    const average = this.#chars / Math.max(1, this.#passages);
    const score = ({ chars, counts }: Found) => {
      const slack = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * chars) / average);
      let sum = 0;
      for (const [place, count] of counts) {
        sum += ((rarity[place] ?? 0) * count * (SATURATION + 1)) / (count + slack);
      }
      return sum;
    };
    const scored = this.#found.map((found) => ({ id: found.id, score: score(found) }));
    return scored
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ id }) => id);
  }
}

const PLAIN_ASCII = /^[\0-\x7f]*$/;

/** In small letters without accents. */
function plain(text: string): string {
  if (PLAIN_ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
