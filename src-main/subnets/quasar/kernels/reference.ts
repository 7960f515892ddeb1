/** What one call of a kernel is given: rows for tokens, floats of 32 bits. `q`, `k` and `g` have `dk` columns, `v` has `dv`. */
export interface Chunk {
  tokens: number;
  dk: number;
  dv: number;
  q: Float32Array;
  k: Float32Array;
  v: Float32Array;
  /** What is kept of each key channel, 0 to 1. */
  g: Float32Array;
}

/** Numbers, and for each the sum of the absolute values that it is the sum of: rounding errors are measured by that. */
export interface Conditioned {
  value: Float64Array;
  size: Float64Array;
}

/**
 * Gated linear attention as docs/kernels.md defines it, in double precision, token by token and as plain as it can be:
 * S ← diag(g) S + k vᵀ, o = qᵀ S / √dk. The state goes on from chunk to chunk.
 */
export class Reference {
  readonly #dk: number;
  readonly #dv: number;
  readonly state: Conditioned;

  /** @param state to begin with, `dk` rows of `dv` */
  constructor(dk: number, dv: number, state: Float32Array) {
    this.#dk = dk;
    this.#dv = dv;
    this.state = { value: Float64Array.from(state), size: Float64Array.from(state, Math.abs) };
  }

  /** The outputs of one chunk; moves the state on. */
  step({ tokens, q, k, v, g }: Chunk): Conditioned {
    const [dk, dv] = [this.#dk, this.#dv];
    const out = { value: new Float64Array(tokens * dv), size: new Float64Array(tokens * dv) };
    for (let token = 0; token < tokens; token++) {
      for (let channel = 0; channel < dk; channel++) {
        const at = token * dk + channel;
        this.#channel(channel * dv, v, out, token * dv, g[at] as number, k[at] as number, q[at] as number);
      }
    }
    const scale = 1 / Math.sqrt(dk);
    return { value: out.value.map((sum) => sum * scale), size: out.size.map((sum) => sum * scale) };
  }

  /** One row of the state, for one token. */
  #channel(row: number, v: Float32Array, out: Conditioned, at: number, gate: number, key: number, query: number): void {
    const { value, size } = this.state;
    const [keySize, querySize] = [Math.abs(key), Math.abs(query)];
    for (let column = 0; column < this.#dv; column++) {
      const given = v[at + column] as number;
      const next = gate * (value[row + column] as number) + key * given;
      const nextSize = gate * (size[row + column] as number) + keySize * Math.abs(given);
      value[row + column] = next;
      size[row + column] = nextSize;
      out.value[at + column] = (out.value[at + column] as number) + query * next;
      out.size[at + column] = (out.size[at + column] as number) + querySize * nextSize;
    }
  }
}
