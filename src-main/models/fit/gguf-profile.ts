import type { ModelFacts } from '../../gguf/model-facts.ts';
import type { CheckedGguf } from '../../gguf/model-file.ts';
import type { TensorInfo } from '../../gguf/tensors.ts';
import { layerValues, type ModelProfile } from './model-profile.ts';

const EMBEDDINGS = 'token_embd.weight';

/** What a model file’s own header says. */
export function ggufProfile({ header, facts }: CheckedGguf): ModelProfile {
  const { tensors } = header;
  const layerBytes = new Array<number>(facts.layers).fill(0);
  let activeBytes = 0;
  let inputBytes = 0;
  let outputBytes = 0;
  for (const tensor of tensors) {
    const layer = layerOf(tensor);
    if (layer !== undefined && layer < facts.layers) {
      layerBytes[layer] = (layerBytes[layer] ?? 0) + tensor.bytes;
      activeBytes += tensor.bytes * activeShare(tensor, facts);
    } else if (isInput(tensor)) inputBytes += tensor.bytes;
    else outputBytes += tensor.bytes;
  }
  const tied = !tensors.some(({ name }) => name === 'output.weight') && !facts.encoder;
  const tiedBytes = tied ? (tensors.find(({ name }) => name === EMBEDDINGS)?.bytes ?? 0) : 0;
  const allLayers = layerBytes.reduce((sum, bytes) => sum + bytes, 0);
  return {
    bits: bitsPerWeight(tensors),
    layerBytes,
    inputBytes,
    outputBytes: outputBytes + tiedBytes,
    tiedBytes,
    activeShare: allLayers > 0 ? activeBytes / allLayers : 1,
    attention: facts.attention,
    embedding: facts.embedding,
    layerValues: layerValues(facts),
    vocabulary: facts.vocabulary,
    encoder: facts.encoder,
    contextLength: facts.contextLength,
    originalContext: facts.originalContext,
    hasRope: facts.hasRope,
    hasWholeBlocks: facts.hasWholeBlocks,
  };
}

function bitsPerWeight(tensors: readonly TensorInfo[]): number {
  const bytes = tensors.reduce((sum, tensor) => sum + tensor.bytes, 0);
  const values = tensors.reduce((sum, { dimensions }) => sum + dimensions.reduce((all, length) => all * length, 1), 0);
  return values > 0 ? (bytes * 8) / values : 0;
}

function layerOf({ name }: TensorInfo): number | undefined {
  const number = /^blk\.(\d{1,4})\./.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Experts’ weights lie in one tensor, of which each token needs those of its own experts. */
function activeShare({ name }: TensorInfo, { experts, expertsUsed }: ModelFacts): number {
  return /_exps\./.test(name) && experts > 0 ? Math.min(1, expertsUsed / experts) : 1;
}

/** llama.cpp’s `LLM_TENSOR_LAYER_INPUT` (src/llama-arch.cpp). */
function isInput({ name }: TensorInfo): boolean {
  return /^(token_embd|token_embd_norm|token_types|position_embd|per_layer_token_embd)\./.test(name);
}
