import type { TokenLogprobs } from '../../inference/backend.ts';

/** Tokens of an answer as they were sampled. */
export interface SampledTokens {
  /** All, with the one that ended the answer, and those of a stop text. */
  tokens: number[];
  /** Natural-log probabilities of the first so many of them: those of the text. */
  logprobs: number[];
}

/** How they are kept: four bytes each, little-endian; uint32 and float32. */
export interface PackedTokens {
  tokens: Uint8Array;
  logprobs: Uint8Array;
}

/** Gathers what was sampled of an answer as it comes. */
export class TokenGatherer {
  readonly #said: TokenLogprobs[] = [];

  add(logprobs: readonly TokenLogprobs[]): void {
    for (const one of logprobs) this.#said.push({ ...one, top: [] });
  }

  /** What the tokens say, with the marks of calls. */
  text(): string {
    return Buffer.concat(this.#said.map(({ bytes }) => Uint8Array.from(bytes))).toString();
  }

  /** @param tokens all of them. Unknown: nothing is known, for what is not whole cannot be learnt from */
  read(tokens: readonly number[] = []): SampledTokens {
    const known = this.#said.findIndex(({ id }, at) => id !== tokens[at]);
    const said = known < 0 ? this.#said : this.#said.slice(0, known);
    return { tokens: [...tokens], logprobs: said.map(({ logprob }) => logprob) };
  }
}

export function packTokens({ tokens, logprobs }: SampledTokens): PackedTokens {
  const packed = { tokens: new Uint8Array(tokens.length * 4), logprobs: new Uint8Array(logprobs.length * 4) };
  const [ids, floats] = [new DataView(packed.tokens.buffer), new DataView(packed.logprobs.buffer)];
  for (const [at, token] of tokens.entries()) ids.setUint32(at * 4, token, true);
  for (const [at, logprob] of logprobs.entries()) floats.setFloat32(at * 4, logprob, true);
  return packed;
}
