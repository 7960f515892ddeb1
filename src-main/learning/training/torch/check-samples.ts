import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { checkLengths, type TrainerSettings, type TrainingSample } from '../trainer.ts';
import { MOST_SAMPLES, samplesSchema } from '../training-messages.ts';

export interface SampleRules {
  settings: Pick<TrainerSettings, 'objective' | 'klWeight'>;
  vocabulary: number;
  /** Tokens of the longest sample that memory was reckoned for. */
  longest: number;
}

/**
 * Whether samples can be learnt from: all of the vocabulary, and of each place told as much as the objective wants.
 * @throws BAD_REQUEST
 */
export function checkSamples(samples: readonly TrainingSample[], rules: SampleRules): void {
  const { settings, vocabulary } = rules;
  if (samples.length > MOST_SAMPLES || !samplesSchema(settings).min(1).safeParse(samples).success) {
    throw refused(say('training.badSample'));
  }
  for (const sample of samples) {
    checkScored(sample, rules);
    for (const { tokens } of sample.teacher) checkTokens(tokens, vocabulary);
  }
}

/** The same of one whose probabilities are asked for. @throws BAD_REQUEST */
export function checkScored(
  { prompt, response }: Pick<TrainingSample, 'prompt' | 'response'>,
  { vocabulary, longest: most }: SampleRules,
): void {
  if (prompt.length === 0 || response.length === 0) throw refused(say('training.badSample'));
  checkLengths([{ prompt, response }], most);
  checkTokens(prompt, vocabulary);
  checkTokens(response, vocabulary);
}

function checkTokens(tokens: readonly number[], vocabulary: number): void {
  const known = tokens.every((token) => Number.isInteger(token) && token >= 0 && token < vocabulary);
  if (!known) throw refused(say('training.unknownToken', { vocabulary }));
}

function refused(message: Saying): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message });
}
