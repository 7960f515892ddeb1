import { catalogueProfile, parametersIn } from '../fit/catalogue-profile.ts';
import type { ModelProfile } from '../fit/model-profile.ts';
import type { Repository } from './hub-answers.ts';
import type { HubFile } from './quantisations.ts';

/** Where nobody says what a model was trained for. */
const USUAL_CONTEXT = 8_192;
const ENCODERS = /bert/;

/** The size that most people take. */
const USUAL_QUANTISATION = 'Q4_K_M';

/** What a model of the hub needs in the usual size; undefined where its parameters are not told. */
export function usualProfile({ gguf }: Pick<Repository, 'gguf'>): ModelProfile | undefined {
  if (gguf?.total === undefined) return undefined;
  return catalogueProfile({
    parameters: gguf.total,
    quantisation: USUAL_QUANTISATION,
    contextLength: gguf.context_length ?? USUAL_CONTEXT,
    encoder: ENCODERS.test(gguf.architecture ?? ''),
  });
}

/** What a file at the hub needs, from its length and what the hub says of the model: its header was not read. */
export function estimatedProfile(
  { gguf = {} }: Pick<Repository, 'gguf'>,
  { bytes, name }: Pick<HubFile, 'bytes' | 'name'>,
): ModelProfile {
  return catalogueProfile({
    bytes,
    parameters: gguf.total ?? parametersIn(bytes, name),
    quantisation: name,
    contextLength: gguf.context_length ?? USUAL_CONTEXT,
    encoder: ENCODERS.test(gguf.architecture ?? ''),
  });
}
