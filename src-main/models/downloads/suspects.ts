import type { ByteSource } from './byte-source.ts';

/** Wrong files that a source may give which then leaves out whoever gave them. */
const MAX_LIES = 3;

/**
 * Whom to ask for a whole file once bytes were wrong: one source after the other, web servers first. One that gave a whole
 * file alone, and a wrong one, is not asked again; peers are, who are many, without those who lied.
 */
export class Suspects {
  #left: ByteSource[];
  readonly #lies = new Map<ByteSource, number>();

  constructor(sources: readonly ByteSource[]) {
    const isWeb = ({ kind }: ByteSource) => kind === 'http';
    this.#left = [...sources.filter(isWeb), ...sources.filter((source) => !isWeb(source))];
  }

  /** The one to ask; undefined when nobody is left. */
  get next(): ByteSource | undefined {
    return this.#left[0];
  }

  /** A whole file was wrong. @param givers names of those whose bytes are in it */
  blame(givers: readonly string[]): void {
    const liar = this.#left.find(({ name }) => givers.join() === name);
    if (!liar) return;
    const lies = (this.#lies.get(liar) ?? 0) + 1;
    this.#lies.set(liar, lies);
    liar.distrust?.();
    if (!liar.distrust || lies === MAX_LIES) this.drop(liar);
  }

  /** It is of no use. */
  drop(source: ByteSource): void {
    this.#left = this.#left.filter((other) => other !== source);
  }
}
