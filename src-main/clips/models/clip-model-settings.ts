import { z } from 'zod';
import { about, atOnce, WEB_ADDRESS, webAddress } from '../../base/setting.ts';

const NONE = 'none';

/** The name of a model of the catalogue, a folder of one's own, or `none`. */
const model = (name: string, what: string) =>
  atOnce(
    z
      .string()
      .min(1)
      .max(4_096)
      .default(name)
      .meta(about(`${what}: its name in the catalogue, the folder of another one, or "${NONE}".`, { isPath: 'maybe' })),
  );

/** The models that make numbers and words of clips. A table of the settings of clips. */
export const clipModels = z.strictObject({
  pictures: model('siglip2-base', 'Model of pictures and texts, by which clips are compared and found'),
  sounds: model('clap-htsat', 'Model of sounds and texts'),
  voice: model('silero-vad', 'Model that hears when somebody speaks'),
  words: model('whisper-tiny', 'Model that writes down what is said'),
  speakers: model('speakers', 'Models that hear who speaks when'),
  threads: atOnce(
    z
      .int()
      .min(1)
      .max(64)
      .default(1)
      .meta(about('Threads of the processor that these models take while they are asked something.')),
  ),
});
export type ClipModelSettings = z.infer<typeof clipModels>;

export const isNone = (name: string): boolean => name === NONE;

/** Who describes clips in words. A table of the settings of clips. */
export const captioner = z.strictObject({
  baseUrl: atOnce(
    webAddress
      .optional()
      .meta(
        about(
          'OpenAI-compatible server with a model that takes pictures and describes clips, up to and with its `/v1`: over https, or on this computer.',
          { wanted: WEB_ADDRESS, shownDefault: 'none: descriptions are made of titles, speech and labels' },
        ),
      ),
  ),
  apiKey: atOnce(
    z
      .string()
      .min(1)
      .max(1_024)
      .optional()
      .meta(about('Key that it wants.', { secret: true, sentTo: 'data.captioner.baseUrl' })),
  ),
  model: atOnce(z.string().min(1).max(200).optional().meta(about('Model to ask it for.'))),
  picturesTo: atOnce(
    webAddress
      .optional()
      .meta(
        about(
          'Beginning of the address (`https://api.example.com`) to which pictures of clips may be sent: none leave this computer before it is that of `data.captioner.baseUrl`.',
          { wanted: WEB_ADDRESS },
        ),
      ),
  ),
});
export type CaptionerSettings = z.infer<typeof captioner>;
