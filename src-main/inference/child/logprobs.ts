import type { Token } from 'node-llama-cpp';
import type { TokenLogprobs, TokenProbability } from '../backend.ts';
import type { Distribution, DistributionReader } from './addon.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Stands for «practically never», as at OpenAI: JSON has no -Infinity. */
const LOWEST = -9999;

/** Log-probabilities of one position, under the model itself. */
export class LogprobReader {
  readonly #reader: DistributionReader;
  readonly #vocabulary: Vocabulary;

  constructor(reader: DistributionReader, vocabulary: Vocabulary) {
    this.#reader = reader;
    this.#vocabulary = vocabulary;
  }

  /** @param index where the position's logits lie in the last batch */
  async read(index: number, token: Token): Promise<TokenLogprobs> {
    const distribution = await this.#reader.read(index, token);
    return {
      ...this.#entry(token, distribution.logit, distribution),
      top: distribution.top.map(([other, logit]) => this.#entry(other, logit, distribution)),
    };
  }

  dispose(): void {
    this.#reader.dispose();
  }

  #entry(token: Token, logit: number, { logSumExp }: Distribution): TokenProbability {
    const bytes = this.#vocabulary.bytes(token);
    const logprob = Math.min(0, Math.max(LOWEST, logit - logSumExp));
    return { token: new TextDecoder().decode(bytes), bytes: [...bytes], logprob };
  }
}
