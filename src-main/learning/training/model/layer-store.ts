import type { LoraAdapter } from '../../formats/lora-adapter.ts';
import { stacked } from './adapter-stacks.ts';
import { GROUP_NAMES, type Group, groupSize } from './groups.ts';
import type { Adapter, Kernels, Linear, Tensor } from './kernels.ts';
import { freeLayer, type Layer } from './layer.ts';
import type { ModelShape } from './shape.ts';
import type { Norm, WeightSource } from './weight-source.ts';

/** The layers of a model where the kernels compute: all of them for good, or one at a time out of the file. */
export class LayerStore {
  readonly #kernels: Kernels;
  readonly #weights: WeightSource;
  readonly #shape: ModelShape;
  readonly #keep: boolean;
  readonly #kept = new Map<number, Layer>();

  constructor(kernels: Kernels, weights: WeightSource, shape: ModelShape, keep: boolean) {
    this.#kernels = kernels;
    this.#weights = weights;
    this.#shape = shape;
    this.#keep = keep;
  }

  /** Has a layer do something, with its adapter as it is now; what only that needed is freed after it. */
  async with<Result>(index: number, adapter: LoraAdapter, work: (layer: Layer) => Promise<Result>): Promise<Result> {
    const frozen = this.#kept.get(index) ?? (await this.#load(index));
    if (this.#keep) this.#kept.set(index, frozen);
    const adapters = this.#adapters(index, adapter);
    const linears = {} as Record<Group, Linear>;
    for (const group of GROUP_NAMES) linears[group] = { ...frozen.linears[group], adapter: adapters[group] };
    try {
      return await work({ norms: frozen.norms, linears });
    } finally {
      for (const each of Object.values(adapters)) this.#kernels.free(each.a, each.b);
      if (!this.#keep) freeLayer(this.#kernels, frozen);
    }
  }

  close(): void {
    for (const layer of this.#kept.values()) freeLayer(this.#kernels, layer);
    this.#kept.clear();
  }

  async #load(index: number): Promise<Layer> {
    const { norms, matrices, bias } = await this.#weights.layer(index);
    const put = (values: Float32Array, shape: readonly number[] = [values.length]) => this.#kernels.put(values, shape);
    const placed: Partial<Record<Norm, Tensor>> = {};
    for (const [norm, values] of Object.entries(norms)) placed[norm as Norm] = put(values);
    const linears = {} as Record<Group, Linear>;
    for (const group of GROUP_NAMES) {
      const size = groupSize(this.#shape, group);
      const weight = put(matrices[group], [size.out, size.in]);
      linears[group] = { weight, bias: group === 'attentionIn' && bias ? put(bias) : undefined };
    }
    return { norms: placed as Layer['norms'], linears };
  }

  #adapters(index: number, adapter: LoraAdapter): Partial<Record<Group, Adapter>> {
    const adapters: Partial<Record<Group, Adapter>> = {};
    for (const group of GROUP_NAMES) {
      const stack = stacked(adapter, this.#shape, index, group);
      if (!stack) continue;
      const size = groupSize(this.#shape, group);
      const inner = stack.a.length / size.in;
      adapters[group] = {
        a: this.#kernels.put(stack.a, [inner, size.in]),
        b: this.#kernels.put(stack.b, [size.out, inner]),
      };
    }
    return adapters;
  }
}
