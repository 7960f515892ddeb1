import type { SoundShape } from '../files/model-manifest.ts';

/** Of which nothing quieter is told apart. */
const QUIETEST = 1e-10;
/** The mel scale of Slaney's Auditory Toolbox: a straight line up to 1,000 Hz, a logarithm above. */
const [HERTZ_A_MEL, FIRST_LOG_HERTZ, LOG_STEP] = [200 / 3, 1_000, Math.log(6.4) / 27];
const FIRST_LOG_MEL = FIRST_LOG_HERTZ / HERTZ_A_MEL;

type Mel = Pick<SoundShape, 'rate' | 'bands' | 'window' | 'hop' | 'lowest' | 'highest'>;

/**
 * How loud a sound is in each band of the mel scale, decibels, window by window: what CLAP has learnt by, as `ClapFeatureExtractor` of transformers computes it
 * (Hann windows around every hop, mirrored at the ends; the power of each; bands of Slaney's scale with one area each).
 *
 * @returns a row a window, a column a band; `samples.length ÷ hop + 1` rows
 */
export function logMel(samples: Float32Array, mel: Mel): Float32Array {
  const { bands, window, hop } = mel;
  const filters = melFilters(mel);
  const fourier = new Fourier(window);
  const shape = hann(window);
  const rows = Math.floor(samples.length / hop) + 1;
  const out = new Float32Array(rows * bands);
  const [real, imaginary, power] = [
    new Float64Array(window),
    new Float64Array(window),
    new Float64Array(window / 2 + 1),
  ];
  for (let row = 0; row < rows; row++) {
    const begin = row * hop - window / 2;
    for (let at = 0; at < window; at++) {
      real[at] = (samples[mirrored(begin + at, samples.length)] as number) * (shape[at] as number);
      imaginary[at] = 0;
    }
    fourier.transform(real, imaginary);
    for (let bin = 0; bin < power.length; bin++)
      power[bin] = (real[bin] as number) ** 2 + (imaginary[bin] as number) ** 2;
    for (const [band, { from, weights }] of filters.entries()) {
      let sum = 0;
      for (let at = 0; at < weights.length; at++) sum += (weights[at] as number) * (power[from + at] as number);
      out[row * bands + band] = 10 * Math.log10(Math.max(QUIETEST, sum));
    }
  }
  return out;
}

/** Where a sample is that lies before the first or behind the last one. */
function mirrored(at: number, length: number): number {
  if (length === 1) return 0;
  const period = 2 * (length - 1);
  const within = ((at % period) + period) % period;
  return within < length ? within : period - within;
}

const hann = (window: number) =>
  Float64Array.from({ length: window }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / window));

/** A triangle for each band, over the bins in which it is not zero. */
function melFilters({ rate, bands, window, lowest, highest }: Mel): { from: number; weights: Float64Array }[] {
  const [first, last] = [toMel(lowest), toMel(highest)];
  const edges = Array.from({ length: bands + 2 }, (_, at) => toHertz(first + ((last - first) * at) / (bands + 1)));
  return Array.from({ length: bands }, (_, band) => {
    const [left, centre, right] = edges.slice(band, band + 3) as [number, number, number];
    const from = Math.ceil((left * window) / rate);
    const to = Math.max(from, Math.floor((right * window) / rate) + 1);
    const weights = Float64Array.from({ length: to - from }, (_, at) => {
      const hertz = ((from + at) * rate) / window;
      const height = Math.min((hertz - left) / (centre - left), (right - hertz) / (right - centre));
      return (Math.max(0, height) * 2) / (right - left);
    });
    return { from, weights };
  });
}

function toMel(hertz: number): number {
  return hertz < FIRST_LOG_HERTZ ? hertz / HERTZ_A_MEL : FIRST_LOG_MEL + Math.log(hertz / FIRST_LOG_HERTZ) / LOG_STEP;
}

function toHertz(mel: number): number {
  return mel < FIRST_LOG_MEL ? mel * HERTZ_A_MEL : FIRST_LOG_HERTZ * Math.exp(LOG_STEP * (mel - FIRST_LOG_MEL));
}

/** The discrete Fourier transform of Cooley and Tukey, in place. */
class Fourier {
  readonly #size: number;
  readonly #swapped: Uint32Array;
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;

  /** @param size a power of two */
  constructor(size: number) {
    this.#size = size;
    const bits = Math.log2(size);
    this.#swapped = Uint32Array.from({ length: size }, (_, at) => reversedBits(at, bits));
    this.#cosines = Float64Array.from({ length: size / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / size));
    this.#sines = Float64Array.from({ length: size / 2 }, (_, at) => -Math.sin((2 * Math.PI * at) / size));
  }

  transform(real: Float64Array, imaginary: Float64Array): void {
    this.#swap(real);
    this.#swap(imaginary);
    for (let half = 1; half < this.#size; half *= 2)
      for (let begin = 0; begin < this.#size; begin += 2 * half) this.#join(real, imaginary, begin, half);
  }

  #swap(values: Float64Array): void {
    for (let at = 0; at < this.#size; at++) {
      const other = this.#swapped[at] as number;
      if (other <= at) continue;
      const kept = values[at] as number;
      values[at] = values[other] as number;
      values[other] = kept;
    }
  }

  #join(real: Float64Array, imaginary: Float64Array, begin: number, half: number): void {
    const step = this.#size / (2 * half);
    for (let at = 0; at < half; at++) {
      const [cosine, sine] = [this.#cosines[at * step] as number, this.#sines[at * step] as number];
      const [one, other] = [begin + at, begin + at + half];
      const [a, b] = [real[other] as number, imaginary[other] as number];
      const [turned, lifted] = [a * cosine - b * sine, a * sine + b * cosine];
      real[other] = (real[one] as number) - turned;
      imaginary[other] = (imaginary[one] as number) - lifted;
      real[one] = (real[one] as number) + turned;
      imaginary[one] = (imaginary[one] as number) + lifted;
    }
  }
}

function reversedBits(value: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed |= ((value >> bit) & 1) << (bits - 1 - bit);
  return reversed;
}
