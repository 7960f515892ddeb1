import { z } from 'zod';
import { about, atOnce, WEB_ADDRESS, webAddress } from '../base/setting.ts';

/** The model that says what recordings are worth. A table of the recordings' settings. */
export const scorer = z.strictObject({
  baseUrl: atOnce(
    webAddress
      .optional()
      .meta(
        about(
          'OpenAI-compatible server with a model that takes pictures and says what recordings are worth, up to and with its `/v1`: over https, or on this computer.',
          { wanted: WEB_ADDRESS },
        ),
      ),
  ),
  apiKey: atOnce(
    z
      .string()
      .min(1)
      .max(1_024)
      .optional()
      .meta(about('Key that it wants.', { secret: true, sentTo: 'focus.scorer.baseUrl' })),
  ),
  model: atOnce(z.string().min(1).max(200).optional().meta(about('Model to ask it for.'))),
  picturesTo: atOnce(
    webAddress
      .optional()
      .meta(
        about(
          'Beginning of the address (`https://api.example.com`) to which pictures of recordings may be sent: none leave this computer before it is that of `focus.scorer.baseUrl`.',
          { wanted: WEB_ADDRESS },
        ),
      ),
  ),
  beyondOne: atOnce(
    z
      .boolean()
      .default(false)
      .meta(
        about('Whether what a boosted task is worth more may lift a score above 1. At a market none is more than 1.'),
      ),
  ),
});
