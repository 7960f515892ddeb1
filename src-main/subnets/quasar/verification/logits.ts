/** Below this length a vector has no direction (QUASAR, A8). */
const LEAST_NORM = 1e-9;

export interface LogitDistance {
  /** Of the angle between both. */
  cosine: number;
  /** Of any token, the largest |Δ|. */
  mostApart: number;
}

/** How far apart two lists of logits are. @param a, b of one length @returns undefined where one of them is nothing but zeros */
export function logitDistance(a: ArrayLike<number>, b: ArrayLike<number>): LogitDistance | undefined {
  let [dot, ofA, ofB, mostApart] = [0, 0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0];
    dot += x * y;
    ofA += x * x;
    ofB += y * y;
    mostApart = Math.max(mostApart, Math.abs(x - y));
  }
  const [lengthA, lengthB] = [Math.sqrt(ofA), Math.sqrt(ofB)];
  if (lengthA < LEAST_NORM || lengthB < LEAST_NORM) return undefined;
  return { cosine: dot / lengthA / lengthB, mostApart };
}
