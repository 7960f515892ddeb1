import { jit, numpy as np, vjp } from '@jax-js/jax';
import { keep, type NdArray, norm, some } from './jax-arrays.ts';
import type { Attention } from './kernels.ts';
import type { ModelShape } from './shape.ts';

/** What the queries of a key-value head's group see: queries (group · tokens) × headWidth, keys and values tokens × headWidth. */
type Head = { q: NdArray; k: NdArray; v: NdArray };
type Turning = { cos: NdArray; sin: NdArray; queryNorm: NdArray[]; keyNorm: NdArray[] };

/**
 * Attention, one key-value head after the other: products of many matrices at once run three times slower in jax-js (12 instead of 35 GFLOP/s), and each head runs
 * the same compiled kernels.
 */
export class JaxAttention {
  readonly #jits: ReturnType<typeof compiled>;

  constructor(shape: ModelShape) {
    this.#jits = compiled(shape);
  }

  forward(x: NdArray, attention: Attention): NdArray {
    const { mask } = attention;
    const heads = this.#jits.heads(x, turning(attention));
    return this.#jits.join(heads.map((head) => this.#jits.attend(head, keep(mask))));
  }

  back(x: NdArray, attention: Attention, gradient: NdArray): NdArray {
    const { mask } = attention;
    const heads = this.#jits.heads(x.ref, turning(attention));
    const gradients = this.#jits.split(gradient);
    const byHeads = heads.map((head, at) => this.#jits.attendBack(head, keep(mask), gradients[at] as NdArray));
    return this.#jits.headsBack(x, turning(attention), byHeads);
  }
}

function turning({ cos, sin, queryNorm, keyNorm }: Attention): Turning {
  return { cos: keep(cos), sin: keep(sin), queryNorm: some(queryNorm), keyNorm: some(keyNorm) };
}

function compiled(shape: ModelShape) {
  const { heads, kvHeads, headWidth, attentionScale } = shape;
  const group = heads / kvHeads;
  const headsOf = (x: NdArray, more: Turning) => headsOfAll(x, more, shape);
  const seen = ({ q, k }: Pick<Head, 'q' | 'k'>, mask: NdArray) => {
    const tokens = k.shape[0] as number;
    const scores = np.matmul(q, k.transpose()).mul(attentionScale).reshape([group, tokens, tokens]);
    return softmax(scores.add(mask)).reshape([group * tokens, tokens]);
  };
  return {
    heads: jit(headsOf),
    headsBack: jit((x: NdArray, more: Turning, gradients: Head[]) => {
      const [of, back] = vjp((y: NdArray) => headsOf(y, more), [x]);
      for (const { q, k, v } of of) for (const each of [q, k, v]) each.dispose();
      const [byX] = back(gradients) as [NdArray];
      back.dispose();
      return byX;
    }),
    attend: jit(({ q, k, v }: Head, mask: NdArray) => np.matmul(seen({ q, k }, mask), v)),
    attendBack: jit(({ q, k, v }: Head, mask: NdArray, gradient: NdArray): Head => {
      const p = seen({ q: q.ref, k: k.ref }, mask);
      const byP = np.matmul(gradient.ref, v.transpose());
      const along = np.sum(p.ref.mul(byP.ref), -1, { keepdims: true });
      const byScores = p.ref.mul(byP.sub(along)).mul(attentionScale);
      return {
        q: np.matmul(byScores.ref, k),
        k: np.matmul(byScores.transpose(), q),
        v: np.matmul(p.transpose(), gradient),
      };
    }),
    /** Of the groups, what their heads have found, to all heads beside each other. */
    join: jit((found: NdArray[]) => {
      const parts = found.map((each) => {
        const tokens = (each.shape[0] as number) / group;
        return each
          .reshape([group, tokens, headWidth])
          .transpose([1, 0, 2])
          .reshape([tokens, group * headWidth]);
      });
      return np.concatenate(parts, 1);
    }),
    split: jit((x: NdArray) => np.split(x, kvHeads, 1).map((each) => grouped(each, group, headWidth))),
  };
}

/** Tokens × (group · width) to (group · tokens) × width. */
function grouped(x: NdArray, group: number, width: number): NdArray {
  const tokens = x.shape[0] as number;
  return x
    .reshape([tokens, group, width])
    .transpose([1, 0, 2])
    .reshape([group * tokens, width]);
}

function headsOfAll(x: NdArray, { cos, sin, queryNorm, keyNorm }: Turning, shape: ModelShape): Head[] {
  const { heads, kvHeads, headWidth, epsilon } = shape;
  const tokens = x.shape[0] as number;
  const group = heads / kvHeads;
  const turn = (of: NdArray, [weight]: NdArray[]) => {
    const normed = weight ? norm(of, weight.ref, epsilon) : of;
    return turned(normed, cos.ref, sin.ref);
  };
  const [q, k, v] = np.split(x, [heads * headWidth, (heads + kvHeads) * headWidth], 1) as [NdArray, NdArray, NdArray];
  const queries = np.split(q, kvHeads, 1);
  const keys = np.split(k, kvHeads, 1);
  const values = np.split(v, kvHeads, 1);
  const found = queries.map((each, at): Head => {
    const own = grouped(each, group, headWidth).reshape([group, tokens, headWidth]);
    return {
      q: turn(own, queryNorm).reshape([group * tokens, headWidth]),
      k: turn(keys[at] as NdArray, keyNorm),
      v: values[at] as NdArray,
    };
  });
  for (const each of [cos, sin, ...queryNorm, ...keyNorm]) each.dispose();
  return found;
}

/** Rotary positions: of each head the first half and the second are the two parts of its pairs. */
function turned(x: NdArray, cos: NdArray, sin: NdArray): NdArray {
  const [a, b] = np.split(x, 2, -1) as [NdArray, NdArray];
  return np.concatenate([a.ref.mul(cos.ref).sub(b.ref.mul(sin.ref)), b.mul(cos).add(a.mul(sin))], -1);
}

function softmax(x: NdArray): NdArray {
  const raised = np.exp(x.ref.sub(np.max(x, -1, { keepdims: true })));
  return raised.ref.mul(np.reciprocal(np.sum(raised, -1, { keepdims: true })));
}
