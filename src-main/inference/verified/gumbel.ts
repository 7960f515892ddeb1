import { hash } from 'node:crypto';

const BYTES = Buffer.alloc(12);

/**
 * Standard Gumbel noise of a token at a place of an answer, the same for ever and everywhere: −ln(−ln u), with u in (0, 1) of the first 52 bits of SHA-256 over
 * seed, place and token, each an unsigned 32-bit integer, big-endian. Whoever adds it to log-probabilities and takes the largest has drawn from them (Gumbel-max).
 * @param place 0 for the first token of the answer
 */
export function gumbelNoise(seed: number, place: number, token: number): number {
  BYTES.writeUInt32BE(seed, 0);
  BYTES.writeUInt32BE(place, 4);
  BYTES.writeUInt32BE(token, 8);
  const digest = hash('sha256', BYTES, 'buffer');
  const bits = digest.readUInt32BE(0) * 2 ** 20 + (digest.readUInt32BE(4) >>> 12);
  return -Math.log(-Math.log((bits + 0.5) / 2 ** 52));
}
