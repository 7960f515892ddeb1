import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { type NamedTensor, writeSafetensors } from '../../formats/safetensors.ts';
import type { TrainingSample } from '../trainer.ts';

/** One to learn from, or one to give probabilities to. */
export type Sample = Pick<TrainingSample, 'prompt' | 'response'> & Partial<TrainingSample>;
type Place = TrainingSample['teacher'][number];

/** Most tokens of a sample: far above what fits into memory on the way back. */
const MOST_TOKENS = 65_536;
/** Most tokens of the teacher at a place. */
const MOST_TEACHERS = 1_024;

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

/**
 * Whether samples can be computed with: tokens of the vocabulary, and of each token of a response as much as of the others.
 * @throws BAD_REQUEST
 */
export function checkSamples(samples: readonly Sample[], vocabulary: number): void {
  if (samples.length > 0 && samples.every((sample) => isSound(sample, vocabulary))) return;
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('training.samples') });
}

function isSound({ prompt, response, teacher, old, base }: Sample, vocabulary: number): boolean {
  const tokens = (values: readonly number[], most: number) =>
    values.length > 0 && values.length <= most && values.every((token) => isToken(token, vocabulary));
  const { length } = response;
  return (
    tokens(prompt, MOST_TOKENS) &&
    tokens(response, MOST_TOKENS) &&
    [teacher, old, base].every((each) => each === undefined || each.length === length) &&
    [old, base].every((each) => each?.every(isLogprob) ?? true) &&
    (teacher ?? []).every(
      (place) =>
        tokens(place.tokens, MOST_TEACHERS) &&
        place.logprobs.length === place.tokens.length &&
        place.logprobs.every(isLogprob),
    )
  );
}

const isToken = (token: number, vocabulary: number) => Number.isInteger(token) && token >= 0 && token < vocabulary;
const isLogprob = (value: number) => Number.isFinite(value);
