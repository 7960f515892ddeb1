import type { LoraAdapter } from '../../formats/lora-adapter.ts';
import { addUnstacked } from './adapter-stacks.ts';
import type { Group } from './groups.ts';
import type { Adapter, Attention, Kernels, Tensor } from './kernels.ts';
import { backward, forward, freePassed, type Layer, type Passed } from './layer.ts';
import type { LayerStore } from './layer-store.ts';
import { mask, rotations } from './positions.ts';
import type { LayerPositions, ModelShape } from './shape.ts';
import type { WeightSource } from './weight-source.ts';

/** Kernels are compiled for each length: there are few of them, each at most a half more than the one before. */
export const LENGTHS = [32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096];
/** Tokens of the longest sequence. */
export const LONGEST = LENGTHS.at(-1) as number;

/** Tokens that are computed for so many; what stands behind a sequence changes nothing of it. */
export function paddedLength(tokens: number): number {
  return LENGTHS.find((length) => length >= tokens) ?? LONGEST;
}

export interface TransformerOptions {
  kernels: Kernels;
  weights: WeightSource;
  shape: ModelShape;
  layers: LayerStore;
  /** Whether what a layer has computed is kept for the way back, rather than computed once more. */
  keepPassed: boolean;
  frequencyFactors: Float32Array | undefined;
}

/** What positions are to attention. */
type Tables = Pick<Attention, 'cos' | 'sin' | 'mask'>;

/** Sequences on their way through the model. */
export interface Pass {
  lengths: readonly number[];
  /** The first layer that is learnt: the way back ends before it. */
  first: number;
  /** Streams behind the last layer, one for each sequence: padded length × width. */
  streams: Tensor[];
  /** By layer, then by sequence. */
  inputs: Map<number, Tensor[]>;
  /** Angles and masks, by length and kind of layer. */
  tables: Map<string, Tables>;
  passed: Map<number, Passed[]>;
}

/** All layers of a model, one after the other, each for all sequences: a layer that is not kept is read once for all of them. */
export class Transformer {
  readonly #options: TransformerOptions;

  constructor(options: TransformerOptions) {
    this.#options = options;
  }

  /** @param first the first layer that is learnt: from there on the pass keeps what {@link backward} needs. Where that does not follow, {@link end} does */
  async forward(sequences: readonly (readonly number[])[], adapter: LoraAdapter, first: number): Promise<Pass> {
    const { kernels, layers, shape, keepPassed } = this.#options;
    const lengths = sequences.map(({ length }) => paddedLength(length));
    const pass: Pass = { lengths, first, streams: [], inputs: new Map(), passed: new Map(), tables: new Map() };
    for (const sequence of sequences) pass.streams.push(await this.#embedded(sequence));
    for (let index = 0; index < shape.layers; index++) {
      const kept = index >= first;
      await layers.with(index, adapter, async (layer) => {
        const before = pass.streams;
        const passed: Passed[] = [];
        pass.streams = [];
        for (const [at, x] of before.entries()) {
          const attention = this.#attention(pass, { index, at, layer });
          const found = forward(kernels, layer, attention, x);
          await kernels.settle(found.y, ...Object.values(found.passed));
          pass.streams.push(found.y);
          if (kept && keepPassed) passed.push(found.passed);
          else freePassed(kernels, found.passed);
        }
        if (kept) pass.inputs.set(index, before);
        else kernels.free(...before);
        if (kept && keepPassed) pass.passed.set(index, passed);
      });
    }
    return pass;
  }

  /**
   * The way back, to the first layer that is changed. Frees all of the pass.
   * @param gradients of the loss by each stream; freed
   * @param sums gradients by the adapter's matrices are added to these
   */
  async backward(pass: Pass, gradients: readonly Tensor[], adapter: LoraAdapter, sums: LoraAdapter): Promise<void> {
    const { kernels, layers, shape } = this.#options;
    kernels.free(...pass.streams);
    let byStreams = gradients;
    for (let index = shape.layers - 1; index >= pass.first; index--) {
      await layers.with(index, adapter, async (layer) => {
        const behind = byStreams;
        const before: Tensor[] = [];
        for (const [at, gradient] of behind.entries()) {
          before.push(await this.#back(pass, { index, at, layer }, gradient, sums));
          kernels.free(gradient);
        }
        byStreams = before;
      });
    }
    kernels.free(...byStreams);
    this.#freeTables(pass);
  }

  /** Frees a pass from which there is no way back. */
  end(pass: Pass): void {
    this.#options.kernels.free(...pass.streams);
    this.#freeTables(pass);
  }

  #freeTables({ tables }: Pass): void {
    for (const { cos, sin, mask: unseen } of tables.values()) this.#options.kernels.free(cos, sin, unseen);
  }

  async #back(pass: Pass, place: Place, gradient: Tensor, sums: LoraAdapter) {
    const { kernels, shape } = this.#options;
    const { index, at, layer } = place;
    const attention = this.#attention(pass, place);
    const x = pass.inputs.get(index)?.[at] as Tensor;
    const passed = pass.passed.get(index)?.[at] ?? this.#again(layer, attention, x);
    const found = backward(kernels, layer, attention, { x, passed, gradient });
    const adapters = Object.entries(found.adapters) as [Group, Adapter][];
    await kernels.settle(found.gradient, ...adapters.flatMap(([, { a, b }]) => [a, b]));
    for (const [group, { a, b }] of adapters) {
      addUnstacked(sums, shape, { layer: index, group }, { a: await kernels.take(a), b: await kernels.take(b) });
    }
    freePassed(kernels, passed);
    kernels.free(x);
    return found.gradient;
  }

  #again(layer: Layer, attention: Attention, x: Tensor): Passed {
    const { y, passed } = forward(this.#options.kernels, layer, attention, x);
    this.#options.kernels.free(y);
    return passed;
  }

  async #embedded(sequence: readonly number[]): Promise<Tensor> {
    const { kernels, weights, shape } = this.#options;
    const tokens = paddedLength(sequence.length);
    const rows = new Float32Array(tokens * shape.width);
    rows.set(await weights.embeddings(sequence));
    return kernels.put(rows, [tokens, shape.width]);
  }

  #attention(pass: Pass, { index, at, layer: { norms } }: Place): Attention {
    const { shape } = this.#options;
    const positions = shape.positions[index] as LayerPositions;
    const tokens = pass.lengths[at] as number;
    const key = [tokens, positions.base, positions.scale, positions.window].join('/');
    const tables = pass.tables.get(key) ?? this.#tables(tokens, positions);
    pass.tables.set(key, tables);
    return { ...tables, queryNorm: norms.query, keyNorm: norms.key };
  }

  #tables(tokens: number, positions: LayerPositions): Tables {
    const { kernels, shape, frequencyFactors } = this.#options;
    const { cos, sin } = rotations(tokens, shape.headWidth, positions, frequencyFactors);
    const size = [tokens, shape.headWidth / 2];
    return {
      ...{ cos: kernels.put(cos, size), sin: kernels.put(sin, size) },
      mask: kernels.put(mask(tokens, positions.window), [tokens, tokens]),
    };
  }
}

/** A layer, and a sequence on its way through it. */
interface Place {
  index: number;
  at: number;
  layer: Layer;
}
