import type { LayerPositions } from './shape.ts';

/** What may not be seen: far below any product, and no infinity, of which differences are no numbers. */
const UNSEEN = -1e30;

/**
 * Cosines and sines of rotary positions: tokens × pairs.
 * @param factors of `rope_freqs.weight`: what each pair's frequency is divided by
 */
export function rotations(
  tokens: number,
  headWidth: number,
  { base, scale }: LayerPositions,
  factors?: Float32Array,
): { cos: Float32Array; sin: Float32Array } {
  const pairs = headWidth / 2;
  const cos = new Float32Array(tokens * pairs);
  const sin = new Float32Array(tokens * pairs);
  for (let pair = 0; pair < pairs; pair++) {
    const frequency = (scale * base ** ((-2 * pair) / headWidth)) / (factors?.[pair] ?? 1);
    for (let token = 0; token < tokens; token++) {
      cos[token * pairs + pair] = Math.cos(token * frequency);
      sin[token * pairs + pair] = Math.sin(token * frequency);
    }
  }
  return { cos, sin };
}

/** Each token sees itself and what came before it, within the window: tokens × tokens, to be added to products. */
export function mask(tokens: number, window = tokens): Float32Array {
  const unseen = new Float32Array(tokens * tokens).fill(UNSEEN);
  for (let token = 0; token < tokens; token++) {
    unseen.fill(0, token * tokens + Math.max(0, token - window + 1), token * tokens + token + 1);
  }
  return unseen;
}
