import { blockUntilReady, jit, numpy as np } from '@jax-js/jax';
import { inverseRoot, keep, type NdArray, norm, some } from './jax-arrays.ts';
import { JaxAttention } from './jax-attention.ts';
import type { Adapter, Attention, Kernels, Linear, Tensor } from './kernels.ts';
import type { ModelShape } from './shape.ts';

/**
 * Kernels of jax-js, compiled for each number of tokens that comes: WebAssembly, or whatever device jax-js was told to use.
 */
export class JaxKernels implements Kernels {
  readonly #jits: ReturnType<typeof compiled>;
  readonly #attention: JaxAttention;

  constructor(shape: ModelShape) {
    this.#jits = compiled(shape);
    this.#attention = new JaxAttention(shape);
  }

  put(values: Float32Array, shape: readonly number[]): Tensor {
    return np.array(values as Float32Array<ArrayBuffer>, { shape: [...shape] });
  }

  async take(tensor: Tensor): Promise<Float32Array> {
    return (await (tensor as NdArray).data()) as Float32Array;
  }

  async read(tensor: Tensor): Promise<Float32Array> {
    return await this.take(keep(tensor));
  }

  free(...tensors: (Tensor | undefined)[]): void {
    for (const tensor of tensors) (tensor as NdArray | undefined)?.dispose();
  }

  async settle(...tensors: (Tensor | undefined)[]): Promise<void> {
    await blockUntilReady(tensors.filter((tensor) => tensor !== undefined) as NdArray[]);
  }

  add(x: Tensor, y: Tensor): Tensor {
    return this.#jits.add(keep(x), keep(y));
  }

  norm(x: Tensor, weight: Tensor): Tensor {
    return this.#jits.norm(keep(x), keep(weight));
  }

  normBack(x: Tensor, weight: Tensor, gradient: Tensor, plus?: Tensor): Tensor {
    return this.#jits.normBack({ x: keep(x), weight: keep(weight), gradient: keep(gradient), plus: some(plus) });
  }

  linear(x: Tensor, { weight, bias, adapter }: Linear, plus?: Tensor): Tensor {
    return this.#jits.linear({
      ...{ x: keep(x), weight: keep(weight), bias: some(bias) },
      ...{ a: some(adapter?.a), b: some(adapter?.b), plus: some(plus) },
    });
  }

  linearBack(x: Tensor, { weight, adapter }: Linear, gradient: Tensor): { x: Tensor; adapter?: Adapter } {
    if (!adapter) return { x: this.#jits.multiply(keep(gradient), keep(weight)) };
    const { dx, a, b } = this.#jits.linearBack({
      ...{ x: keep(x), weight: keep(weight), gradient: keep(gradient) },
      ...{ a: keep(adapter.a), b: keep(adapter.b) },
    });
    return { x: dx, adapter: { a, b } };
  }

  attention(x: Tensor, attention: Attention): Tensor {
    return this.#attention.forward(keep(x), attention);
  }

  attentionBack(x: Tensor, attention: Attention, gradient: Tensor): Tensor {
    return this.#attention.back(keep(x), attention, keep(gradient));
  }

  gate(x: Tensor): Tensor {
    return this.#jits.gate(keep(x));
  }

  gateBack(x: Tensor, gradient: Tensor): Tensor {
    return this.#jits.gateBack(keep(x), keep(gradient));
  }
}

const sumOf = (x: NdArray, [more]: NdArray[]) => (more ? x.add(more) : x);

function compiled(shape: ModelShape) {
  const { epsilon } = shape;
  const activation = shape.activation === 'gelu' ? gelu : silu;
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
