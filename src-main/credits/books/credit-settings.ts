import { z } from 'zod';
import { CREDIT_RULES } from '../../../src-preload/contract/credits.ts';
import { about, section } from '../../base/setting.ts';
import { DEFAULT_GIFTS } from '../standing/gifts.ts';

const credits = {
  gift: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(DEFAULT_GIFTS.most)
    .meta(about('Credits that all strangers of one range of addresses (/24, /48) together may have here on trust.')),
  giftForgivenPerDay: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(DEFAULT_GIFTS.perDay)
    .meta(about('Credits of those that are forgiven a day: then there is room for others.')),
  rule: z
    .enum(CREDIT_RULES)
    .default('claims')
    .meta(
      about(
        'Which nodes this one serves: with `claims`, first those that it owes credits, and strangers on trust; with `witnessed`, everyone without limit, in the order of confirmed points. The latter is for a private mesh of friends and needs `mesh.secret`.',
        {
          option: {
            form: '--credits-rule <rule>',
            help: 'whom this node serves: claims (who serves is served), or witnessed (friends, without limit)',
            command: 'start',
          },
        },
      ),
    ),
};

/** What is given to whoever has not worked for it. */
export const creditSettings = section({ credits: z.strictObject(credits) });
