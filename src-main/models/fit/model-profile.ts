import type { LayerAttention } from '../../gguf/model-facts.ts';

/** What of a model decides how much memory it takes and how fast it is, whether read from its file or estimated. */
export interface ModelProfile {
  /** Bits per weight, all tensors together. */
  bits: number;
  /** Bytes of each repeating layer’s weights. */
  layerBytes: readonly number[];
  /** Bytes of what turns tokens into vectors; it stays in the computer’s memory. */
  inputBytes: number;
  /** Bytes of what turns vectors into logits. */
  outputBytes: number;
  /** Of `outputBytes`, what is the input’s own table («tied embeddings»): only a GPU needs a second copy. */
  tiedBytes: number;
  /** Part of the layers’ weights that one token is computed with: below 1 for a mixture of experts. */
  activeShare: number;
  /** One for each layer. */
  attention: readonly LayerAttention[];
  embedding: number;
  /** Values per token that the widest layer has at hand at once. */
  layerValues: number;
  vocabulary: number;
  /** It makes vectors of texts and writes none: no logits. */
  encoder: boolean;
  contextLength: number;
  /** The same before its file scales positions itself. */
  originalContext: number;
  /** Its positions can be scaled. */
  hasRope: boolean;
  /** Its cache can be quantised. */
  hasWholeBlocks: boolean;
}

/** Widths of one layer, in values. */
export interface LayerWidths {
  embedding: number;
  queryWidth: number;
  /** Of all experts that compute a token together. */
  feedForward: number;
  /** 0 for a dense model. */
  expertsUsed: number;
}

/**
 * What llama.cpp holds at once per token in the feed-forward part (gate, up and their product; the residual and its norm
 * on the way) or in attention (queries, and with their rotation), whichever is more. Fitted to the compute buffers that it
 * reports: test/integration/model-fit.test.ts.
 */
export function layerValues({ embedding, queryWidth, feedForward, expertsUsed }: LayerWidths): number {
  return Math.max((4 + expertsUsed) * embedding + 3 * feedForward, 3 * embedding + 2 * queryWidth);
}

/** The same model in another quantisation: all of its weights grow and shrink about as its whole file does. */
export function resized(profile: ModelProfile, fromBytes: number, toBytes: number): ModelProfile {
  const ratio = toBytes / fromBytes;
  const { bits, layerBytes, inputBytes, outputBytes, tiedBytes } = profile;
  return {
    ...profile,
    bits: bits * ratio,
    layerBytes: layerBytes.map((bytes) => bytes * ratio),
    inputBytes: inputBytes * ratio,
    outputBytes: outputBytes * ratio,
    tiedBytes: tiedBytes * ratio,
  };
}
