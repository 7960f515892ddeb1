/** The cosine of the angle between two vectors of one length, −1 to 1; 0 where one of them is nothing but zeros. */
export function cosine(one: Float32Array, other: Float32Array): number {
  let [product, ones, others] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    const [a, b] = [one[at] as number, other[at] as number];
    product += a * b;
    ones += a * a;
    others += b * b;
  }
  return ones > 0 && others > 0 ? product / Math.sqrt(ones * others) : 0;
}
