import { layerValues, type ModelProfile } from './model-profile.ts';

/** What is known of a model before any of it is downloaded. */
export interface CatalogueFacts {
  /** Length of the file, where known. */
  bytes?: number | undefined;
  parameters: number;
  /** As in «Q4_K_M». */
  quantisation: string;
  contextLength: number;
  /** It reads a text as a whole and writes none: no cache, and no logits. */
  encoder?: boolean | undefined;
  shape?: CatalogueShape | undefined;
}

export interface CatalogueShape {
  layers: number;
  embedding: number;
  heads: number;
  kvHeads: number;
  headSize: number;
  vocabulary: number;
}

/** Bits per weight, all tensors together: sizes of well-known 7B files divided by their parameters. */
const BITS = new Map([
  ['F32', 32],
  ['BF16', 16],
  ['F16', 16],
  ['Q8_0', 8.5],
  ['Q6_K', 6.6],
  ['Q5_K_M', 5.7],
  ['Q5_K_S', 5.5],
  ['Q5_0', 5.5],
  ['Q4_K_M', 4.9],
  ['Q4_K_S', 4.6],
  ['Q4_0', 4.6],
  ['IQ4_XS', 4.4],
  ['Q3_K_L', 4.3],
  ['Q3_K_M', 3.9],
  ['Q2_K', 3.2],
]);
/** As of a file’s own header. */
const MOST_LAYERS = 1_024;
const USUAL_BITS = 5;
/** Larger models have an output matrix of their own, smaller ones use the input’s table again. */
const MOST_TIED_PARAMETERS = 5e9;

/** About how many parameters a file of this length has. */
export function parametersIn(bytes: number, quantisation: string): number {
  return Math.max(1, Math.round((bytes * 8) / (BITS.get(quantisation) ?? USUAL_BITS)));
}

/** An estimate of what the file’s own header will say: from its size and shape, and what is usual for the rest. */
export function catalogueProfile(facts: CatalogueFacts): ModelProfile {
  const { parameters, quantisation, contextLength, encoder = false, shape = usualShape(parameters) } = facts;
  const { embedding, heads, kvHeads, headSize, vocabulary } = shape;
  const layers = Math.min(shape.layers, MOST_LAYERS);
  const bytes = facts.bytes ?? (parameters * (BITS.get(quantisation) ?? USUAL_BITS)) / 8;
  const tableValues = Math.min(vocabulary * embedding, parameters / 2);
  const tied = parameters <= MOST_TIED_PARAMETERS;
  const tables = tied || encoder ? 1 : 2;
  const tableBytes = (bytes * tableValues) / parameters;
  const layerParameters = Math.max(0, parameters - tables * tableValues) / layers;
  const queryWidth = heads * headSize;
  const attentionParameters = 2 * embedding * (queryWidth + kvHeads * headSize);
  const feedForward = Math.max(embedding, (layerParameters - attentionParameters) / (3 * embedding));
  return {
    bits: (bytes * 8) / parameters,
    layerBytes: new Array<number>(layers).fill((bytes - tables * tableBytes) / layers),
    inputBytes: tableBytes,
    outputBytes: encoder ? 0 : tableBytes,
    tiedBytes: tied && !encoder ? tableBytes : 0,
    activeShare: 1,
    attention: new Array(layers).fill({ cachedValues: encoder ? 0 : 2 * kvHeads * headSize }),
    embedding,
    layerValues: layerValues({ embedding, queryWidth, feedForward, expertsUsed: 0 }),
    vocabulary,
    encoder,
    ...{ contextLength, originalContext: contextLength, hasRope: !encoder, hasWholeBlocks: headSize % 32 === 0 },
  };
}

/** Layers of a width a hundred times their number, as most models about have; a quarter of the heads keep keys. */
function usualShape(parameters: number): CatalogueShape {
  const layers = Math.max(1, Math.round((parameters / 120_000) ** (1 / 3)));
  const heads = Math.max(4, Math.round((layers * 100) / 128));
  return { layers, embedding: heads * 128, heads, kvHeads: Math.ceil(heads / 4), headSize: 128, vocabulary: 128_000 };
}
