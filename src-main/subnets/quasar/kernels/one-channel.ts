import type { Chunk, Conditioned } from './reference.ts';

/** The reference for one value channel: what others have in theirs plays no part in it. */
export class OneChannel {
  /** The state’s column. */
  readonly state: Conditioned;

  constructor(state: Conditioned) {
    this.state = state;
  }

  /** The outputs of one chunk; moves the state on. @param values of this channel, by token */
  step({ tokens, dk, q, k, g }: Omit<Chunk, 'v' | 'dv'>, values: Conditioned): Conditioned {
    const { value, size } = this.state;
    const out = { value: new Float64Array(tokens), size: new Float64Array(tokens) };
    const scale = 1 / Math.sqrt(dk);
    for (let token = 0; token < tokens; token++) {
      const [given, givenSize] = [values.value[token] as number, values.size[token] as number];
      let [sum, sumSize] = [0, 0];
      for (let channel = 0, at = token * dk; channel < dk; channel++, at++) {
        const [gate, key, query] = [g[at] as number, k[at] as number, q[at] as number];
        const next = gate * (value[channel] as number) + key * given;
        const nextSize = gate * (size[channel] as number) + Math.abs(key) * givenSize;
        value[channel] = next;
        size[channel] = nextSize;
        sum += query * next;
        sumSize += Math.abs(query) * nextSize;
      }
      out.value[token] = sum * scale;
      out.size[token] = sumSize * scale;
    }
    return out;
  }
}

/** Of rows, each as one number: its sum with a weight for each column; and the sum of all absolute values. */
export function summedUp(rows: Float32Array, weights: Float64Array): Conditioned {
  const columns = weights.length;
  const count = rows.length / columns;
  const sums = { value: new Float64Array(count), size: new Float64Array(count) };
  for (let row = 0, at = 0; row < count; row++) {
    let [sum, sumSize] = [0, 0];
    for (let column = 0; column < columns; column++, at++) {
      const part = (weights[column] as number) * (rows[at] as number);
      sum += part;
      sumSize += Math.abs(part);
    }
    sums.value[row] = sum;
    sums.size[row] = sumSize;
  }
  return sums;
}
