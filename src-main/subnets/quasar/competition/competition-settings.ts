import { z } from 'zod';
import { say } from '../../../../src-preload/contract/saying.ts';
import { about, atOnce, section } from '../../../base/setting.ts';
import { unpairedTls } from '../../../http/tls-pair.ts';

const MOST_TRUSTED = 256;
const path = z.string().min(1).max(4_096).optional();

/** A competition that this node serves. All of it but `enabled` counts when it is opened next. */
const competition = z.strictObject({
  enabled: atOnce(
    z
      .boolean()
      .default(false)
      .meta(about('Whether this node, as a validator, serves a competition in the name of the validator’s hotkey.')),
  ),
  host: atOnce(
    z
      .string()
      .min(1)
      .max(255)
      .default('127.0.0.1')
      .meta(about('Address on which the competition listens.', { wanted: say('settings.wanted.host') })),
  ),
  port: atOnce(z.int().min(0).max(65_535).default(8_094).meta(about('Port on which the competition listens.'))),
  tlsCert: atOnce(
    path.meta(
      about('Certificate (PEM file) to serve HTTPS with; wants `competition.tlsKey` too.', { isPath: 'always' }),
    ),
  ),
  tlsKey: atOnce(path.meta(about('Private key (PEM file) of `competition.tlsCert`.', { isPath: 'always' }))),
  behindProxy: atOnce(
    z.boolean().default(false).meta(about('Whether a proxy on this machine says from where a request comes.')),
  ),
  hours: atOnce(z.number().min(0.01).max(720).default(48).meta(about('Hours that a round is open.'))),
  blocksUntilReveal: atOnce(
    z
      .int()
      .min(1)
      .max(7_200)
      .default(100)
      .meta(about('Blocks of 12 seconds after which what was committed may be revealed.')),
  ),
  unclaimed: atOnce(
    z
      .enum(['burnt', 'carried'])
      .default('burnt')
      .meta(about('What becomes of shares that nobody has won: of nobody, or in the next round’s pot.')),
  ),
  trusted: atOnce(
    z
      .array(z.string().min(40).max(60))
      .max(MOST_TRUSTED)
      .default([])
      .meta(
        about('Hotkeys (ss58) that may ask for weights like validators of the subnet.', {
          shownDefault: 'none',
          wanted: say('settings.wanted.coldkeys'),
        }),
      ),
  ),
  leastStake: atOnce(
    z
      .number()
      .min(0)
      .max(21_000_000)
      .default(1_000)
      .meta(about('Stake that stands behind a validator at least, in TAO as the subnet counts it.')),
  ),
  perHotkey: atOnce(
    z.int().min(1).max(100).default(10).meta(about('Submissions of one hotkey that count in one round.')),
  ),
  perRound: atOnce(
    z.int().min(1).max(1_024).default(256).meta(about('Submissions that count in one round: each has to be judged.')),
  ),
  bytesPerHotkey: atOnce(
    z
      .int()
      .min(1_000)
      .max(1_000_000_000)
      .default(20_000_000)
      .meta(about('Bytes that artefacts of one hotkey may take together until their rounds have ended.')),
  ),
  diskBudget: atOnce(
    z
      .int()
      .min(1_000_000)
      .max(1_000_000_000_000)
      .default(1_000_000_000)
      .meta(
        about('Bytes that all artefacts may take together; where there is no more room, those of rounds long ago go.'),
      ),
  ),
});
export type CompetitionSettings = z.infer<typeof competition>;

export const competitionSettings = section(
  { competition },
  { contradiction: (config) => unpairedTls('competition', config.competition) },
);
