import { seededRandom } from '../../base/seeded-random.ts';
import type { LocalBackend } from '../../inference/host/local-backend.ts';

const SEED = 42;

/** Prompts of about so many tokens, of random words, so that no cache can help one with another. */
export class PromptMaker {
  readonly #engine: LocalBackend;
  readonly #random = seededRandom(SEED);
  /** Of this model; undefined before the first prompt. */
  #wordsAToken: number | undefined;

  constructor(engine: LocalBackend) {
    this.#engine = engine;
  }

  async take(count: number, tokens: number): Promise<string[]> {
    this.#wordsAToken ??= await this.#measure();
    const words = Math.max(1, Math.round(tokens * this.#wordsAToken));
    return Array.from({ length: count }, () => this.#words(words));
  }

  async #measure(): Promise<number> {
    const words = 1_000;
    return words / (await this.#engine.countTokens({ prompt: this.#words(words) }));
  }

  #words(count: number): string {
    return Array.from({ length: count }, () => this.#word()).join(' ');
  }

  #word(): string {
    return Array.from({ length: 2 }, () => this.#letter('bdfgklmnprstv') + this.#letter('aeiou')).join('');
  }

  #letter(letters: string): string {
    return letters.charAt(Math.floor(this.#random.uniform() * letters.length));
  }
}
