import { blockUntilReady, jit, numpy as np, vjp } from '@jax-js/jax';
import type { Adapter, Attention, Kernels, Linear, Tensor } from './kernels.ts';
import type { ModelShape } from './shape.ts';

type NdArray = np.Array;

/**
 * Kernels of jax-js, compiled for each number of tokens that comes: WebAssembly, or whatever device jax-js was told to use. Every function of jax-js takes the arrays that it is given
 * away; `.ref` keeps one.
 */
export class JaxKernels implements Kernels {
  readonly #jits: ReturnType<typeof compiled>;

  constructor(shape: ModelShape) {
    this.#jits = compiled(shape);
  }

  put(values: Float32Array, shape: readonly number[]): Tensor {
    return np.array(values as Float32Array<ArrayBuffer>, { shape: [...shape] });
  }

  async take(tensor: Tensor): Promise<Float32Array> {
    return (await (tensor as NdArray).data()) as Float32Array;
  }

  async read(tensor: Tensor): Promise<Float32Array> {
    return await this.take(kept(tensor));
  }

  free(...tensors: (Tensor | undefined)[]): void {
    for (const tensor of tensors) (tensor as NdArray | undefined)?.dispose();
  }

  async settle(...tensors: (Tensor | undefined)[]): Promise<void> {
    await blockUntilReady(tensors.filter((tensor) => tensor !== undefined) as NdArray[]);
  }

  add(x: Tensor, y: Tensor): Tensor {
    return this.#jits.add(kept(x), kept(y));
  }

  norm(x: Tensor, weight: Tensor): Tensor {
    return this.#jits.norm(kept(x), kept(weight));
  }

  normBack(x: Tensor, weight: Tensor, gradient: Tensor, plus?: Tensor): Tensor {
    return this.#jits.normBack({ x: kept(x), weight: kept(weight), gradient: kept(gradient), plus: some(plus) });
  }

  linear(x: Tensor, { weight, bias, adapter }: Linear, plus?: Tensor): Tensor {
    return this.#jits.linear({
      ...{ x: kept(x), weight: kept(weight), bias: some(bias) },
      ...{ a: some(adapter?.a), b: some(adapter?.b), plus: some(plus) },
    });
  }

  linearBack(x: Tensor, { weight, adapter }: Linear, gradient: Tensor): { x: Tensor; adapter?: Adapter } {
    if (!adapter) return { x: this.#jits.multiply(kept(gradient), kept(weight)) };
    const { dx, a, b } = this.#jits.linearBack({
      ...{ x: kept(x), weight: kept(weight), gradient: kept(gradient) },
      ...{ a: kept(adapter.a), b: kept(adapter.b) },
    });
    return { x: dx, adapter: { a, b } };
  }

  attention(x: Tensor, attention: Attention): Tensor {
    return this.#jits.attention(kept(x), inputs(attention));
  }

  attentionBack(x: Tensor, attention: Attention, gradient: Tensor): Tensor {
    return this.#jits.attentionBack(kept(x), inputs(attention), kept(gradient));
  }

  gate(x: Tensor): Tensor {
    return this.#jits.gate(kept(x));
  }

  gateBack(x: Tensor, gradient: Tensor): Tensor {
    return this.#jits.gateBack(kept(x), kept(gradient));
  }
}

const kept = (tensor: Tensor): NdArray => (tensor as NdArray).ref;
/** What may be missing is a list of none or one: the shape of a function's arguments. */
const some = (tensor: Tensor | undefined): NdArray[] => (tensor ? [kept(tensor)] : []);

type AttentionInputs = { cos: NdArray; sin: NdArray; mask: NdArray; queryNorm: NdArray[]; keyNorm: NdArray[] };

function inputs({ cos, sin, mask, queryNorm, keyNorm }: Attention): AttentionInputs {
  return { cos: kept(cos), sin: kept(sin), mask: kept(mask), queryNorm: some(queryNorm), keyNorm: some(keyNorm) };
}

const sumOf = (x: NdArray, [more]: NdArray[]) => (more ? x.add(more) : x);

function compiled(shape: ModelShape) {
  const { epsilon } = shape;
  const activation = shape.activation === 'gelu' ? gelu : silu;
  const attend = (x: NdArray, more: AttentionInputs) => attention(x, more, shape);
  return {
    add: jit((x: NdArray, y: NdArray) => x.add(y)),
    multiply: jit((x: NdArray, y: NdArray) => np.matmul(x, y)),
    norm: jit((x: NdArray, weight: NdArray) => norm(x, weight, epsilon)),
    normBack: jit((of: { x: NdArray; weight: NdArray; gradient: NdArray; plus: NdArray[] }) =>
      sumOf(normBack(of.x, of.weight, of.gradient, epsilon), of.plus),
    ),
    linear: jit((of: { x: NdArray; weight: NdArray; bias: NdArray[]; a: NdArray[]; b: NdArray[]; plus: NdArray[] }) => {
      const [a, b] = [of.a[0], of.b[0]];
      const added = a && b ? [np.matmul(np.matmul(of.x.ref, a.transpose()), b.transpose())] : [];
      return sumOf(sumOf(sumOf(np.matmul(of.x, of.weight.transpose()), added), of.bias), of.plus);
    }),
    linearBack: jit((of: { x: NdArray; weight: NdArray; gradient: NdArray; a: NdArray; b: NdArray }) => {
      const inner = np.matmul(of.x.ref, of.a.ref.transpose());
      const innerBack = np.matmul(of.gradient.ref, of.b);
      return {
        b: np.matmul(of.gradient.ref.transpose(), inner),
        a: np.matmul(innerBack.ref.transpose(), of.x),
        dx: np.matmul(of.gradient, of.weight).add(np.matmul(innerBack, of.a)),
      };
    }),
    attention: jit(attend),
    attentionBack: jit((x: NdArray, more: AttentionInputs, gradient: NdArray) =>
      back((of) => attend(of, more), x, gradient),
    ),
    gate: jit((x: NdArray) => {
      const [gate, up] = np.split(x, 2, 1) as [NdArray, NdArray];
      return activation(gate).value.mul(up);
    }),
    gateBack: jit((x: NdArray, gradient: NdArray) => {
      const [gate, up] = np.split(x, 2, 1) as [NdArray, NdArray];
      const { value, slope } = activation(gate);
      return np.concatenate([gradient.ref.mul(up).mul(slope), gradient.mul(value)], 1);
    }),
  };
}

/** The gradient by `x` of what is cheap to compute once more. */
function back(f: (x: NdArray) => NdArray, x: NdArray, gradient: NdArray): NdArray {
  const [y, vector] = vjp(f, [x]);
  (y as NdArray).dispose();
  const [gradients] = vector(gradient) as [NdArray];
  vector.dispose();
  return gradients;
}

function inverseRoot(x: NdArray, epsilon: number): NdArray {
  return np.reciprocal(np.sqrt(np.mean(np.square(x), -1, { keepdims: true }).add(epsilon)));
}

function norm(x: NdArray, weight: NdArray, epsilon: number): NdArray {
  return x.ref.mul(inverseRoot(x, epsilon)).mul(weight);
}

/** With `r = 1 / √(mean x² + ε)` and `u = gradient · weight`: `r u − r³ x mean(u x)`. */
function normBack(x: NdArray, weight: NdArray, gradient: NdArray, epsilon: number): NdArray {
  const r = inverseRoot(x.ref, epsilon);
  const u = gradient.mul(weight);
  const along = np.mean(u.ref.mul(x.ref), -1, { keepdims: true }).mul(r.ref.mul(r.ref));
  return u.sub(x.mul(along)).mul(r);
}

type Activation = { value: NdArray; slope: NdArray };

/** `x σ(x)`, and its slope. */
function silu(x: NdArray): Activation {
  return sigmoidal(x, x.ref, undefined);
}

/** As llama.cpp and gemma have it, by the hyperbolic tangent: `x σ(2 √(2/π) (x + 0.044715 x³))`, since `½ (1 + tanh y) = σ(2 y)`. */
function gelu(x: NdArray): Activation {
  const factor = 2 * Math.sqrt(2 / Math.PI);
  const square = x.ref.mul(x.ref);
  const inner = x.ref.mul(square.ref.mul(0.044715).add(1)).mul(factor);
  return sigmoidal(
    x,
    inner,
    square
      .mul(3 * 0.044715)
      .add(1)
      .mul(factor),
  );
}

/** `x σ(y)`, and its slope `σ + x σ (1 − σ) y′`; written so that nothing infinite is multiplied with 0. */
function sigmoidal(x: NdArray, y: NdArray, slopeOfY: NdArray | undefined): Activation {
  const s = np.reciprocal(np.exp(y.mul(-1)).add(1));
  const value = x.mul(s.ref);
  const bend = value.ref.mul(s.ref.mul(-1).add(1));
  return { value, slope: s.add(slopeOfY ? bend.mul(slopeOfY) : bend) };
}

function attention(x: NdArray, more: AttentionInputs, shape: ModelShape): NdArray {
  const { heads, kvHeads, headWidth, epsilon, attentionScale } = shape;
  const tokens = x.shape[0] as number;
  const group = heads / kvHeads;
  const cuts = [heads * headWidth, (heads + kvHeads) * headWidth];
  const [q, k, v] = np.split(x, cuts, 1) as [NdArray, NdArray, NdArray];
  const normed = (of: NdArray, [weight]: NdArray[]) => (weight ? norm(of, weight, epsilon) : of);
  const queries = turned(
    normed(q.reshape([tokens, kvHeads, group, headWidth]), more.queryNorm).transpose([1, 2, 0, 3]),
    more.cos.ref,
    more.sin.ref,
  ).reshape([kvHeads, group * tokens, headWidth]);
  const keys = turned(
    normed(k.reshape([tokens, kvHeads, headWidth]), more.keyNorm).transpose([1, 0, 2]),
    more.cos,
    more.sin,
  );
  const values = v.reshape([tokens, kvHeads, headWidth]).transpose([1, 0, 2]);
  const scores = np
    .matmul(queries, keys.transpose([0, 2, 1]))
    .mul(attentionScale)
    .reshape([kvHeads, group, tokens, tokens])
    .add(more.mask);
  const found = np.matmul(softmax(scores).reshape([kvHeads, group * tokens, tokens]), values);
  return found
    .reshape([kvHeads, group, tokens, headWidth])
    .transpose([2, 0, 1, 3])
    .reshape([tokens, heads * headWidth]);
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
