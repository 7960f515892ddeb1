import { z } from 'zod';
import { say } from '../../src-preload/contract/saying.ts';
import { about, atOnce, section } from '../base/setting.ts';

const node = {
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
      .regex(/^[A-Z]{3}$/)
      .optional()
      .meta(about('Currency of that price.', { wanted: say('settings.wanted.currency') })),
  ),
};

/** What electricity costs here. */
export const energySettings = section({ node: z.strictObject(node) });
