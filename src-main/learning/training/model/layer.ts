import { GROUP_NAMES, type Group } from './groups.ts';
import type { Adapter, Attention, Kernels, Linear, Tensor } from './kernels.ts';
import type { Norm } from './weight-source.ts';

/** A layer where the kernels compute. */
export interface Layer {
  norms: Partial<Record<Norm, Tensor>> & Record<'attention' | 'feed', Tensor>;
  linears: Record<Group, Linear>;
}

/** All that a forward pass has computed on its way: what the way back needs. It can be kept, or computed once more of the layer's input. */
export interface Passed {
  normed: Tensor;
  /** Queries, keys and values. */
  attentionIn: Tensor;
  /** What the heads have found. */
  heads: Tensor;
  /** The stream between attention and feed-forward. */
  middle: Tensor;
  feedNormed: Tensor;
  /** Gate and up. */
  feedIn: Tensor;
  gated: Tensor;
  /** What attention and feed-forward have found, before it is normed: only where it is. */
  attentionOut?: Tensor | undefined;
  feedOut?: Tensor | undefined;
}

/** Gradients of a layer's adapters, by group. */
export type LayerGradients = Partial<Record<Group, Adapter>>;

/** @param x the stream before the layer @returns the stream behind it; both results are to be freed */
export function forward(k: Kernels, layer: Layer, attention: Attention, x: Tensor): { y: Tensor; passed: Passed } {
  const { norms, linears } = layer;
  const normed = k.norm(x, norms.attention);
  const attentionIn = k.linear(normed, linears.attentionIn);
  const heads = k.attention(attentionIn, attention);
  const { sum: middle, raw: attentionOut } = addTo(k, x, heads, linears.attentionOut, norms.afterAttention);
  const feedNormed = k.norm(middle, norms.feed);
  const feedIn = k.linear(feedNormed, linears.feedIn);
  const gated = k.gate(feedIn);
  const { sum: y, raw: feedOut } = addTo(k, middle, gated, linears.feedOut, norms.afterFeed);
  return { y, passed: { normed, attentionIn, heads, middle, feedNormed, feedIn, gated, attentionOut, feedOut } };
}

/** `stream + x·weightᵀ`, what is added normed first where the model does that. */
function addTo(k: Kernels, stream: Tensor, x: Tensor, linear: Linear, norm: Tensor | undefined) {
  if (!norm) return { sum: k.linear(x, linear, stream), raw: undefined };
  const raw = k.linear(x, linear);
  const normed = k.norm(raw, norm);
  const sum = k.add(stream, normed);
  k.free(normed);
  return { sum, raw };
}

/**
 * The way back through a layer.
 * @param gradient of the loss, by the stream behind the layer
 * @returns the gradient by the stream before it, and by its adapters
 */
export function backward(
  k: Kernels,
  layer: Layer,
  attention: Attention,
  { x, passed, gradient }: { x: Tensor; passed: Passed; gradient: Tensor },
): { gradient: Tensor; adapters: LayerGradients } {
  const { norms, linears } = layer;
  const adapters: LayerGradients = {};
  const through = (group: Group, of: Tensor, from: Tensor): Tensor => {
    const found = k.linearBack(of, linears[group], from);
    if (found.adapter) adapters[group] = found.adapter;
    return found.x;
  };

  const byFeedOut = unnormed(k, passed.feedOut, norms.afterFeed, gradient);
  const byGated = through('feedOut', passed.gated, byFeedOut);
  const byFeedIn = k.gateBack(passed.feedIn, byGated);
  const byFeedNormed = through('feedIn', passed.feedNormed, byFeedIn);
  const byMiddle = k.normBack(passed.middle, norms.feed, byFeedNormed, gradient);

  const byAttentionOut = unnormed(k, passed.attentionOut, norms.afterAttention, byMiddle);
  const byHeads = through('attentionOut', passed.heads, byAttentionOut);
  const byAttentionIn = k.attentionBack(passed.attentionIn, attention, byHeads);
  const byNormed = through('attentionIn', passed.normed, byAttentionIn);
  const byX = k.normBack(x, norms.attention, byNormed, byMiddle);

  k.free(byGated, byFeedIn, byFeedNormed, byHeads, byAttentionIn, byNormed, byMiddle);
  if (byFeedOut !== gradient) k.free(byFeedOut);
  if (byAttentionOut !== byMiddle) k.free(byAttentionOut);
  return { gradient: byX, adapters };
}

function unnormed(k: Kernels, raw: Tensor | undefined, norm: Tensor | undefined, gradient: Tensor): Tensor {
  return raw && norm ? k.normBack(raw, norm, gradient) : gradient;
}

export function freePassed(k: Kernels, passed: Passed): void {
  k.free(...Object.values(passed));
}

/** All tensors of a layer, to be freed. */
export function freeLayer(k: Kernels, { norms, linears }: Layer): void {
  k.free(...Object.values(norms));
  for (const group of GROUP_NAMES) {
    const { weight, bias, adapter } = linears[group];
    k.free(weight, bias, adapter?.a, adapter?.b);
  }
}
