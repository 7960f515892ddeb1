import type { AdapterModule } from '../../formats/lora-adapter.ts';
import type { ModelShape } from './shape.ts';

/**
 * Matrices of a layer that multiply the same numbers, one below the other: computed as one matrix. Their adapters are one, too: the `a` below each other, the `b` down a
 * diagonal.
 */
export const GROUPS = {
  attentionIn: ['q_proj', 'k_proj', 'v_proj'],
  attentionOut: ['o_proj'],
  feedIn: ['gate_proj', 'up_proj'],
  feedOut: ['down_proj'],
} as const satisfies Record<string, readonly AdapterModule[]>;

export type Group = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as Group[];

/** Columns and rows of a matrix. */
export interface Size {
  in: number;
  out: number;
}

export function moduleSize(shape: ModelShape, module: AdapterModule): Size {
  const { width, feedForward, headWidth } = shape;
  const [queries, keys] = [shape.heads * headWidth, shape.kvHeads * headWidth];
  const sizes: Record<AdapterModule, Size> = {
    q_proj: { in: width, out: queries },
    k_proj: { in: width, out: keys },
    v_proj: { in: width, out: keys },
    o_proj: { in: queries, out: width },
    gate_proj: { in: width, out: feedForward },
    up_proj: { in: width, out: feedForward },
    down_proj: { in: feedForward, out: width },
  };
  return sizes[module];
}

export function groupSize(shape: ModelShape, group: Group): Size {
  const sizes = GROUPS[group].map((module) => moduleSize(shape, module));
  return { in: sizes[0]?.in ?? 0, out: sizes.reduce((sum, { out }) => sum + out, 0) };
}
