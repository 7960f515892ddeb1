/** Of Lanczos’ approximation, g = 7: good to 15 digits. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];
/** What counts as nothing in a fraction that goes on, and when two steps of it are the same. */
const TINY = 1e-300;
const SAME = 1e-15;
const MOST_STEPS = 10_000;

/** ln Γ(x), x ≥ 0.5. */
function logGamma(x: number): number {
  const [first = 0, ...rest] = LANCZOS;
  const sum = rest.reduce((all, part, at) => all + part / (x + at), first);
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** ln of xᵃ(1 − x)ᵇ / B(a, b). */
function logPower(x: number, a: number, b: number): number {
  return logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
}

/**
 * Which part of a Beta distribution lies below x: Iₓ(a, b), by its continued fraction (DLMF 8.17.22) and Lentz’ method.
 * @param a, b at least 0.5
 */
export function betaBelow(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // It converges fast on this side of the mean only.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaBelow(1 - x, b, a);
  return (Math.exp(logPower(x, a, b)) / a) * fraction(x, a, b);
}

function fraction(x: number, a: number, b: number): number {
  const apart = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let upper = 1;
  let lower = 1 / apart(1 - ((a + b) * x) / (a + 1));
  let value = lower;
  for (let m = 1; m <= MOST_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const step of [even, odd]) {
      lower = 1 / apart(1 + step * lower);
      upper = apart(1 + step / upper);
      change = lower * upper;
      value *= change;
    }
    if (Math.abs(change - 1) < SAME) break;
  }
  return value;
}

/**
 * Below which x a part of a Beta distribution lies: Newton’s steps, and half of what is left where one would leave it.
 * @param part 0 to 1; @param a, b at least 0.5
 */
export function betaQuantile(part: number, a: number, b: number): number {
  if (part <= 0) return 0;
  if (part >= 1) return 1;
  let [low, high] = [0, 1];
  let x = a / (a + b);
  for (let step = 0; step < 100; step++) {
    const ahead = betaBelow(x, a, b) - part;
    if (ahead > 0) high = x;
    else low = x;
    const density = Math.exp(logPower(x, a, b)) / (x * (1 - x));
    const newton = x - ahead / density;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - x) <= SAME * x) return next;
    x = next;
  }
  return x;
}
