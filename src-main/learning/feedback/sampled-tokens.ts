import type { TokenLogprobs } from '../../inference/backend.ts';

/** Tokens of an answer as they were sampled, with their natural-log probabilities: as long as each other. */
export interface SampledTokens {
  tokens: number[];
  logprobs: number[];
}

/** How they are kept: four bytes each, little-endian; uint32 and float32. */
export interface PackedTokens {
  tokens: Uint8Array;
  logprobs: Uint8Array;
}

/** Gathers the tokens of an answer as it comes. */
export class TokenGatherer {
  readonly #tokens: number[] = [];
  readonly #logprobs: number[] = [];
  /** A backend that does not number its tokens has said one. */
  #unknown = false;

  add(sampled: readonly TokenLogprobs[]): void {
    for (const { id, logprob } of sampled) {
      if (id === undefined) this.#unknown = true;
      else {
        this.#tokens.push(id);
        this.#logprobs.push(logprob);
      }
    }
  }

  /** All so far; none where one of them has no number: what is not whole cannot be learnt from. */
  read(): SampledTokens {
    return this.#unknown ? { tokens: [], logprobs: [] } : { tokens: this.#tokens, logprobs: this.#logprobs };
  }
}

export function packTokens({ tokens, logprobs }: SampledTokens): PackedTokens {
  const packed = { tokens: new Uint8Array(tokens.length * 4), logprobs: new Uint8Array(logprobs.length * 4) };
  const [ids, floats] = [new DataView(packed.tokens.buffer), new DataView(packed.logprobs.buffer)];
  for (const [at, token] of tokens.entries()) ids.setUint32(at * 4, token, true);
  for (const [at, logprob] of logprobs.entries()) floats.setFloat32(at * 4, logprob, true);
  return packed;
}

export function unpackTokens({ tokens, logprobs }: PackedTokens): SampledTokens {
  const read = (bytes: Uint8Array, value: (view: DataView, at: number) => number) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return Array.from({ length: bytes.byteLength >>> 2 }, (_, index) => value(view, index * 4));
  };
  return {
    tokens: read(tokens, (view, at) => view.getUint32(at, true)),
    logprobs: read(logprobs, (view, at) => view.getFloat32(at, true)),
  };
}
