import { z } from 'zod';
import { say } from '../../../../src-preload/contract/saying.ts';
import { about, atOnce, section } from '../../../base/setting.ts';
import { unpairedTls } from '../../../http/tls-pair.ts';

const GIB = 1024 ** 3;
const MOST_TRUSTED = 256;
const path = z.string().min(1).max(4_096).optional();

/** A market of videos that this node serves. All of it but `enabled` counts when the market is opened next. */
const market = z.strictObject({
  enabled: atOnce(
    z
      .boolean()
      .default(false)
      .meta(about('Whether this node serves a market of videos, in the name of the validator’s hotkey.')),
  ),
  host: atOnce(
    z
      .string()
      .min(1)
      .max(255)
      .default('127.0.0.1')
      .meta(about('Address on which the market listens.', { wanted: say('settings.wanted.host') })),
  ),
  port: atOnce(z.int().min(0).max(65_535).default(8_093).meta(about('Port on which the market listens.'))),
  tlsCert: atOnce(
    path.meta(about('Certificate (PEM file) to serve HTTPS with; wants `market.tlsKey` too.', { isPath: 'always' })),
  ),
  tlsKey: atOnce(path.meta(about('Private key (PEM file) of `market.tlsCert`.', { isPath: 'always' }))),
  behindProxy: atOnce(
    z.boolean().default(false).meta(about('Whether a proxy on this machine says from where a request comes.')),
  ),
  pool: atOnce(
    z
      .number()
      .min(0)
      .max(21_000_000)
      .optional()
      .meta(
        about('TAO that miners get for videos in a day: prices are shares of it, and nine tenths of it are spent.', {
          shownDefault: 'what the chain says of `validator.netuid`, by `market.share`',
        }),
      ),
  ),
  share: atOnce(
    z.number().min(0).max(1).default(1).meta(about('The share of what miners of the subnet get that is for videos.')),
  ),
  trusted: atOnce(
    z
      .array(z.string().min(40).max(60))
      .max(MOST_TRUSTED)
      .default([])
      .meta(
        about('Coldkeys (ss58) of sellers whose videos are shown first.', {
          shownDefault: 'none',
          wanted: say('settings.wanted.coldkeys'),
        }),
      ),
  ),
  videoBytes: atOnce(
    z
      .int()
      .min(1_000_000)
      .max(4 * GIB)
      .default(4 * GIB)
      .meta(about('Bytes of one video, at most.')),
  ),
  diskBudget: atOnce(
    z
      .int()
      .min(100_000_000)
      .max(100_000_000_000_000)
      .default(50_000_000_000)
      .meta(about('Bytes that videos of the market may take together.')),
  ),
  keepDays: atOnce(
    z
      .number()
      .min(0.01)
      .max(3_650)
      .default(7)
      .meta(about('Days for which a buyer can fetch a video after it was sold.')),
  ),
  tasks: atOnce(
    path.meta(
      about('File (JSON) with tasks that the market wants recordings of: a list of `id`, `title` and `description`.', {
        isPath: 'always',
      }),
    ),
  ),
});
export type MarketSettings = z.infer<typeof market>;

export const marketSettings = section({ market }, { contradiction: (config) => unpairedTls('market', config.market) });
