import { type NamedTensor, writeSafetensors } from '../../formats/safetensors.ts';
import type { TrainingSample } from '../trainer.ts';

/** One to learn from, or one to give probabilities to. */
export type Sample = Pick<TrainingSample, 'prompt' | 'response'> & Partial<TrainingSample>;
type Place = TrainingSample['teacher'][number];

/**
 * Writes samples as the child reads them: tensors `<sample>.<what>`. Tokens are there as single precision, which holds all whole numbers below 2²⁴. Where the teacher says less of
 * a place than of others, the rest of its row is token 0 with a log-probability of −∞.
 * @param path not there yet
 */
export async function writeSamples(path: string, samples: readonly Sample[]): Promise<void> {
  await writeSafetensors(path, samples.flatMap(tensorsOf));
}

function tensorsOf({ prompt, response, teacher, old, base }: Sample, index: number): NamedTensor[] {
  const tensor = (what: string, values: readonly number[], shape: readonly number[] = [values.length]) => ({
    ...{ name: `${index}.${what}`, shape, values: Float32Array.from(values) },
  });
  const tensors = [tensor('prompt', prompt), tensor('response', response)];
  if (old) tensors.push(tensor('old', old));
  if (base) tensors.push(tensor('base', base));
  if (!teacher) return tensors;
  const width = Math.max(...teacher.map(({ tokens }) => tokens.length));
  const rows = (values: (place: Place) => readonly number[], absent: number) =>
    teacher.flatMap((place) => Array.from({ length: width }, (_, at) => values(place)[at] ?? absent));
  const shape = [teacher.length, width];
  tensors.push(
    tensor(
      'teacherTokens',
      rows(({ tokens }) => tokens, 0),
      shape,
    ),
  );
  tensors.push(
    tensor(
      'teacherLogprobs',
      rows(({ logprobs }) => logprobs, Number.NEGATIVE_INFINITY),
      shape,
    ),
  );
  return tensors;
}
