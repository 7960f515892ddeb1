/** A vector's direction; zeros stay zeros. @throws RangeError where a number is none */
export function ofLengthOne(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length)) throw new RangeError('not a vector');
  return length > 0 ? vector.map((value) => value / length) : vector;
}

/** The mean direction of vectors of length 1; of none there is none. */
export function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + (vector[at] as number);
  return ofLengthOne(sum);
}
