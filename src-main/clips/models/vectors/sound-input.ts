import type { RawSound } from '../../media/media.ts';
import type { SoundShape } from '../files/model-manifest.ts';
import { logMel } from './mel.ts';

/** Stretches of a sound that are heard: two minutes are heard from end to end for half of their seconds. */
const MOST_STRETCHES = 6;

/** What of a sound is heard: stretches as long as the model hears at once, spread evenly; of a short one all. */
export function soundStretches({ samples, rate }: RawSound, seconds: number): Float32Array[] {
  const length = seconds * rate;
  if (samples.length <= length) return [samples];
  const count = Math.min(Math.ceil(samples.length / length), MOST_STRETCHES);
  const step = (samples.length - length) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, at) => {
    const from = Math.round(at * step);
    return samples.subarray(from, from + length);
  });
}

/** A stretch as a model of sounds wants it: a short one as often as it fits, silence behind. */
export function soundInput(samples: Float32Array, shape: SoundShape): Float32Array {
  const length = shape.seconds * shape.rate;
  const filled = new Float32Array(length);
  const times = samples.length > 0 ? Math.floor(length / samples.length) : 0;
  for (let at = 0; at < times; at++) filled.set(samples, at * samples.length);
  return logMel(filled, shape);
}
