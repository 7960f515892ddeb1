import { seededRandom } from '../base/seeded-random.ts';
import type { LocalBackend } from '../inference/host/local-backend.ts';

const SEED = 42;
/** Words that are counted to know how many tokens a word has. */
const COUNTED = 1_000;

/** Texts of about so many tokens, of random words, so that no cache can help one with another. */
export class RandomTexts {
  readonly #engine: Pick<LocalBackend, 'countTokens'>;
  readonly #random = seededRandom(SEED);
  /** Of this model; undefined before the first text. */
  #tokensAWord: number | undefined;

  /** @param engine its tokens are counted */
  constructor(engine: Pick<LocalBackend, 'countTokens'>) {
    this.#engine = engine;
  }

  async take(tokens: number): Promise<string> {
    this.#tokensAWord ??= (await this.#engine.countTokens({ prompt: this.#words(COUNTED) })) / COUNTED;
    return this.#words(Math.max(1, Math.round(tokens / this.#tokensAWord)));
  }

  async several(count: number, tokens: number): Promise<string[]> {
    const texts: string[] = [];
    while (texts.length < count) texts.push(await this.take(tokens));
    return texts;
  }

  #words(count: number): string {
    const letter = (letters: string) => letters.charAt(Math.floor(this.#random.uniform() * letters.length));
    const syllable = () => letter('bdfgklmnprstv') + letter('aeiou');
    return Array.from({ length: count }, () => syllable() + syllable()).join(' ');
  }
}
