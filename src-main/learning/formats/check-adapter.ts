import { say } from '../../../src-preload/contract/saying.ts';
import { MOST_RANK } from '../../gguf/adapter-facts.ts';
import { invalidAdapter, unsupportedAdapter } from './adapter-error.ts';
import { type BaseShape, reorderedHeads } from './base-shape.ts';
import { MOST_HEADER_BYTES, MOST_VALUES, VALUE_BYTES } from './file-values.ts';
import { isDivisible } from './head-order.ts';
import {
  type AdapterModule,
  inOrder,
  type LoraAdapter,
  type LoraMatrices,
  matrixName,
  modulesOf,
} from './lora-adapter.ts';

/** One of the two tensors of a matrix, as a file says it is. */
export interface FoundTensor {
  layer: number;
  module: AdapterModule;
  part: 'a' | 'b';
  rows: number;
  columns: number;
}

/**
 * Looks whether tensors are an adapter of a model: of each matrix both parts, all of one rank, each as large as the model wants it.
 * @returns their rank
 * @throws ADAPTER_INVALID; UNSUPPORTED for ranks that differ
 */
export function checkTensors(found: readonly FoundTensor[], base: BaseShape): number {
  const ranks = new Set<number>();
  const parts = new Map<string, Set<string>>();
  let values = 0;
  for (const { layer, module, part, rows, columns } of found) {
    const name = matrixName(layer, module);
    const size = base.sizes.get(name);
    if (!size) throw invalidAdapter(say('adapters.noSuchMatrix', { name }));
    const [wanted, given] = part === 'a' ? [size.in, columns] : [size.out, rows];
    if (wanted !== given) throw invalidAdapter(say('adapters.otherShape', { name, wanted, given }));
    if (!isDivisible(size.out, reorderedHeads(base, module))) throw invalidAdapter(say('adapters.heads', { name }));
    values += rows * columns;
    ranks.add(part === 'a' ? rows : columns);
    parts.set(name, (parts.get(name) ?? new Set()).add(part));
  }
  const [alone] = [...parts].find(([, { size }]) => size !== 2) ?? [];
  if (alone !== undefined) throw invalidAdapter(say('adapters.halfMatrix', { name: alone }));
  const [rank, ...others] = ranks;
  if (rank === undefined) throw invalidAdapter(say('adapters.empty'));
  if (others.length > 0) throw unsupportedAdapter(say('adapters.ranksDiffer'));
  if (values > MOST_VALUES) throw invalidAdapter(say('adapters.huge', { most: MOST_VALUES }));
  if (rank < 1 || rank > MOST_RANK) throw invalidAdapter(say('adapters.rank', { rank, most: MOST_RANK }));
  return rank;
}

/** Bytes that a file of an adapter for this model has at the most: all matrices in single precision, and what stands before them. @param rank default: the largest that is taken */
export function mostFileBytes(base: BaseShape, rank = MOST_RANK): number {
  const places = [...base.sizes.values()].reduce((sum, size) => sum + size.in + size.out, 0);
  return VALUE_BYTES.F32 * Math.min(rank * places, MOST_VALUES) + MOST_HEADER_BYTES;
}

/** Single precision, as llama.cpp keeps it. @throws ADAPTER_INVALID when it is none */
export function checkedAlpha(alpha: unknown): number {
  const rounded = typeof alpha === 'number' ? Math.fround(alpha) : Number.NaN;
  if (!Number.isFinite(rounded) || rounded <= 0) throw invalidAdapter(say('adapters.alpha'));
  return rounded;
}

/** Names one of the two parts of a matrix. */
export function partName(layer: number, module: AdapterModule, part: 'a' | 'b'): string {
  return `${matrixName(layer, module)} ${part}`;
}

/** The adapter, of parts that {@link checkTensors} has found in order. @param parts by {@link partName}, rows as PEFT has them */
export function assembled(
  parts: ReadonlyMap<string, Float32Array>,
  { rank, alpha }: Pick<LoraAdapter, 'rank' | 'alpha'>,
  { architecture, layers, sizes }: BaseShape,
): LoraAdapter {
  const matrices: [string, LoraMatrices][] = [];
  for (const [name, size] of sizes) {
    const [a, b] = [parts.get(`${name} a`), parts.get(`${name} b`)];
    if (a && b) matrices.push([name, { a, b, ...size }]);
  }
  const ordered = inOrder(matrices);
  return { base: { architecture, layers }, rank, alpha, modules: modulesOf(ordered.keys()), matrices: ordered };
}
