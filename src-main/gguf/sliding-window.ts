import type { MetadataReader } from './metadata-reader.ts';

/**
 * In how many layers one looks over the whole context, where the file does not say: the last of each so many. From
 * llama.cpp’s `load_swa_pattern` calls (src/models/*.cpp). Of an architecture that is not here every layer is taken to
 * keep the whole context, which can only be too much.
 */
const PERIODS = new Map([
  ['cohere2', 4],
  ['gemma2', 2],
  ['gemma3', 6],
  ['gemma3n', 5],
  ['gemma-embedding', 6],
  ['gpt-oss', 2],
]);

const MOST_WINDOW = 1 << 28;

/** For each layer, how many tokens it looks back; undefined where it looks over the whole context. */
export function windowedLayers(own: MetadataReader, architecture: string, layers: number): (number | undefined)[] {
  const window = own.optional('attention.sliding_window', MOST_WINDOW) ?? 0;
  const isWindowed = window > 0 ? pattern(own, architecture, layers) : () => false;
  return Array.from({ length: layers }, (_, layer) => (isWindowed(layer) ? window : undefined));
}

function pattern(own: MetadataReader, architecture: string, layers: number): (layer: number) => boolean {
  const key = 'attention.sliding_window_pattern';
  if (own.isArray(key)) {
    const flags = own.perLayer(key, layers, 1) ?? [];
    return (layer) => flags[layer] === 1;
  }
  const period = own.optional(key, layers) ?? PERIODS.get(architecture) ?? 1;
  return (layer) => period > 1 && layer % period < period - 1;
}
