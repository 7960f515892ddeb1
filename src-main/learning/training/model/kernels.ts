/** An array of numbers of 32 bits where the kernels compute. */
export interface Tensor {
  readonly shape: readonly number[];
}

/** A matrix that stays as it is, and what an adapter adds to it: `x·weightᵀ + bias + (x·aᵀ)·bᵀ`. */
export interface Linear {
  /** out × in */
  weight: Tensor;
  /** out */
  bias?: Tensor | undefined;
  adapter?: Adapter | undefined;
}

/** `a`: rank × in, `b`: out × rank, already scaled by alpha / rank. */
export interface Adapter<Each = Tensor> {
  a: Each;
  b: Each;
}

/** What attention wants besides queries, keys and values. */
export interface Attention {
  /** Cosines and sines of the angle at each position and of each pair: tokens × headWidth/2. */
  cos: Tensor;
  sin: Tensor;
  /** Tokens × tokens; added to the products of queries (rows) and keys: 0, or very negative for what may not be seen. */
  mask: Tensor;
  /** Weights of norms over each head: headWidth. */
  queryNorm?: Tensor | undefined;
  keyNorm?: Tensor | undefined;
}

/**
 * What a layer is computed of, forward and back. Rows are tokens. No kernel takes anything away from who calls it: what it is given stays, what it returns
 * is to be freed. Nothing need be computed before `settle` or `take`.
 */
export interface Kernels {
  put(values: Float32Array, shape: readonly number[]): Tensor;
  /** Its numbers; it is freed. */
  take(tensor: Tensor): Promise<Float32Array>;
  /** Its numbers; it stays. */
  read(tensor: Tensor): Promise<Float32Array>;
  free(...tensors: (Tensor | undefined)[]): void;
  /** Computes these, and all that they need. */
  settle(...tensors: (Tensor | undefined)[]): Promise<void>;

  add(x: Tensor, y: Tensor): Tensor;
  /** `x / √(mean x² + ε) · weight`, row by row. */
  norm(x: Tensor, weight: Tensor): Tensor;
  /** The gradient by x, out of that by the norm; `plus` is added to it. */
  normBack(x: Tensor, weight: Tensor, gradient: Tensor, plus?: Tensor): Tensor;
  /** `plus` is added to it. */
  linear(x: Tensor, linear: Linear, plus?: Tensor): Tensor;
  /** The gradients by x and by the adapter, out of that by the result. */
  linearBack(x: Tensor, linear: Linear, gradient: Tensor): { x: Tensor; adapter?: Adapter | undefined };
  /** @param x queries, keys and values of all heads beside each other @returns what the heads have found, beside each other */
  attention(x: Tensor, attention: Attention): Tensor;
  /** The gradient by queries, keys and values. */
  attentionBack(x: Tensor, attention: Attention, gradient: Tensor): Tensor;
  /** @param x gate and up beside each other @returns `activation(gate) · up` */
  gate(x: Tensor): Tensor;
  gateBack(x: Tensor, gradient: Tensor): Tensor;
}
