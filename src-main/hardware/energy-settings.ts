import { z } from 'zod';
import { say } from '../../src-preload/contract/saying.ts';
import { about, atOnce, section } from '../base/setting.ts';

const node = {
  watts: atOnce(
    z
      .number()
      .min(1)
      .max(100_000)
      .optional()
      .meta(
        about(
          'Watts that this computer draws while it mines, as a meter at its plug shows them. Takes the place of what sensors say.',
          {
            shownDefault: 'what sensors say, where there are any',
          },
        ),
      ),
  ),
  costPerKwh: atOnce(
    z
      .number()
      .min(0)
      .max(1_000)
      .optional()
      .meta(
        about('What a kilowatt hour costs you; for the figure beside what is earned.', { shownDefault: 'not known' }),
      ),
  ),
  currency: atOnce(
    z
      .string()
      .toUpperCase()
      .regex(/^[A-Z]{3}$/)
      .optional()
      .meta(about('Currency of that price.', { wanted: say('settings.wanted.currency') })),
  ),
};

/** What electricity costs here, and how much of it is used. */
export const energySettings = section({ node: z.strictObject(node) });
