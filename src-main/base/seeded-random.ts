/** A stream of numbers that is the same on every machine for the same seed. */
export interface SeededRandom {
  /** Uniform in [0, 1). */
  uniform(): number;
  /** Roughly normal: mean 0, variance 1, never beyond ±3.47. Made by adding only, so that every machine rounds alike. */
  normal(): number;
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state, enough for weights nobody learns from. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  // The sum of four uniform numbers has the variance 4/12.
  const normal = (): number => (uniform() + uniform() + uniform() + uniform() - 2) * Math.sqrt(3);
  return { uniform, normal };
}
