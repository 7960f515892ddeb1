import { z } from 'zod';
import { defineSynapse } from '../../../../bittensor/synapse/synapse.ts';
import { countSchema, topicSchema } from './videos.ts';

const ANY = z.unknown().optional();

/** A question for sounds of speech as an axon takes it (OMEGA, B1). */
export const AUDIOS = defineSynapse({
  name: 'Audios',
  fields: { query: topicSchema, num_audios: countSchema, audio_metadata: ANY },
});

/** The same as it is asked. */
export const AUDIOS_ASKED = defineSynapse({
  name: 'Audios',
  fields: { query: z.string(), num_audios: z.int(), audio_metadata: ANY },
});
