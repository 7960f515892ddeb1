import type { Group } from './groups.ts';

/** Norms of a layer, by what they are for. */
export type Norm = 'attention' | 'feed' | 'query' | 'key' | 'afterAttention' | 'afterFeed';

/** The frozen numbers of one layer. */
export interface LayerWeights {
  norms: Partial<Record<Norm, Float32Array>>;
  /** Of each group one matrix, out × in; rows of queries and keys in PEFT's order. */
  matrices: Record<Group, Float32Array>;
  /** Of queries, keys and values together. */
  bias?: Float32Array | undefined;
}

/** The weights of a model that can be trained, as they are wanted: a layer at a time. They come from a file, or from another process that reads it. */
export interface WeightSource {
  layer(layer: number): Promise<LayerWeights>;
  /** Rows of the embeddings, as the first layer is given them: tokens × width. */
  embeddings(tokens: readonly number[]): Promise<Float32Array>;
  /** Rows of the matrix that makes logits: rows × width. */
  outputRows(from: number, count: number): Promise<Float32Array>;
  /** Of the norm before it. */
  outputNorm(): Promise<Float32Array>;
  /** What the frequencies of rotary positions are divided by; undefined where the file says nothing of it. */
  frequencyFactors(): Promise<Float32Array | undefined>;
}
