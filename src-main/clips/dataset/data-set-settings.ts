import { z } from 'zod';
import { say } from '../../../src-preload/contract/saying.ts';
import { about, atOnce, safeWebAddress } from '../../base/setting.ts';

/** Where the data set of clips is uploaded to. A table of the settings of clips. */
export const upload = z.strictObject({
  endpoint: atOnce(
    safeWebAddress
      .optional()
      .meta(
        about(
          'Beginning of the address of the hub to which the data set of clips is uploaded (`https://huggingface.co`, or a server that speaks its protocol): over https, or on this computer. Nothing is uploaded without it.',
          { wanted: say('clipSources.wantedAddress') },
        ),
      ),
  ),
  repository: atOnce(
    z
      .string()
      .regex(/^[\w.-]{1,96}\/[\w.-]{1,96}$/)
      .optional()
      .meta(
        about('The data set’s repository there, `OWNER/NAME`. One that is not there is made.', {
          wanted: say('dataSet.wantedRepository'),
        }),
      ),
  ),
  private: atOnce(
    z.boolean().default(true).meta(about('Whether a repository that is made can be seen by its owner only.')),
  ),
  token: atOnce(
    z
      .string()
      .min(1)
      .max(1_024)
      .optional()
      .meta(
        about('Token of the account there, with the right to write.', { secret: true, sentTo: 'data.upload.endpoint' }),
      ),
  ),
});
