import { z } from 'zod';
import { learningNumbers, MAX_GRAD_NORM } from '../../../src-preload/contract/learning-numbers.ts';

/** How a program wants its feedback to be learnt (CLaaS, B1). */
const trainingSchema = z.strictObject({
  learningRate: learningNumbers.learningRate,
  alpha: learningNumbers.mixture,
  isClip: learningNumbers.isClip,
  /** Older versions took and kept larger ones. */
  maxGradNorm: z.preprocess(
    (norm) => (typeof norm === 'number' ? Math.min(norm, MAX_GRAD_NORM) : norm),
    learningNumbers.maxGradNorm,
  ),
  klRegWeight: learningNumbers.klWeight,
  teacherTopK: learningNumbers.teacherTop,
});
export type ClientTraining = z.infer<typeof trainingSchema>;

/** What CLaaS takes where a client says nothing: what equals it is no wish. */
export const CLAAS_TRAINING: ClientTraining = {
  learningRate: 3e-5,
  alpha: 0.5,
  isClip: 5,
  maxGradNorm: 1,
  klRegWeight: 0,
  teacherTopK: 100,
};

/** What of it is wished, as JSON; undefined: nothing. The same wishes give the same text. */
export function wishedTraining(training: ClientTraining): string | undefined {
  const names = Object.keys(CLAAS_TRAINING) as (keyof ClientTraining)[];
  const wished = names.filter((name) => training[name] !== CLAAS_TRAINING[name]);
  if (wished.length === 0) return undefined;
  return JSON.stringify(Object.fromEntries(wished.map((name) => [name, training[name]])));
}

/** @param json by {@link wishedTraining} */
export function readTraining(json: string): Partial<ClientTraining> {
  return trainingSchema.partial().parse(JSON.parse(json));
}
