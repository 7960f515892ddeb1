import { z } from 'zod';
import { say } from '../../../src-preload/contract/saying.ts';
import { about, atOnce, section } from '../../base/setting.ts';

const KEY_CHARS = 64;
const port = z.int().min(1).max(65_535);

/** Whom an axon answers. */
export const CALLERS = ['validators', 'registered', 'anyone'] as const;

/** The axon: what this node is on a subnet of Bittensor. All of it but `enabled` counts when the axon is opened next. */
const axon = z.strictObject({
  enabled: atOnce(
    z
      .boolean()
      .default(false)
      .meta(
        about(
          'Whether a miner’s axon is open, so that validators of a subnet can ask its model: whoever opens or closes it sets this.',
        ),
      ),
  ),
  wallet: atOnce(
    z
      .string()
      .min(1)
      .max(KEY_CHARS)
      .optional()
      .meta(about('Wallet of the hotkey for which the axon answers.', { elsewhere: 'BT_WALLET_NAME' })),
  ),
  hotkey: atOnce(
    z
      .string()
      .min(1)
      .max(KEY_CHARS)
      .default('default')
      .meta(about('Hotkey of that wallet; it is registered on the subnet.', { elsewhere: 'BT_WALLET_HOTKEY' })),
  ),
  netuid: atOnce(z.int().min(0).max(65_535).optional().meta(about('Number of the subnet.'))),
  host: atOnce(
    z
      .string()
      .min(1)
      .max(255)
      .default('0.0.0.0')
      .meta(about('Address on which the axon listens.', { wanted: say('settings.wanted.host') })),
  ),
  port: atOnce(port.default(8_091).meta(about('Port on which the axon listens.', { env: 'BT_AXON_PORT' }))),
  externalIp: atOnce(
    z
      .union([z.ipv4(), z.ipv6()])
      .optional()
      .meta(
        about('Address at which others reach the axon.', {
          wanted: say('settings.wanted.ip'),
          shownDefault: 'what the router says, or what other nodes see',
          env: 'BT_AXON_EXTERNAL_IP',
        }),
      ),
  ),
  externalPort: atOnce(
    port.optional().meta(
      about('Port at which others reach the axon.', {
        shownDefault: 'what the router opens, or the port on which it listens',
        env: 'BT_AXON_EXTERNAL_PORT',
      }),
    ),
  ),
  openRouter: atOnce(
    z
      .boolean()
      .default(true)
      .meta(about('Whether the router is asked to let others in (UPnP, NAT-PMP), where no address is set.')),
  ),
  callers: atOnce(
    z
      .enum(CALLERS)
      .default('registered')
      .meta(about('Whom the axon answers: validators with a permit, all who are registered on the subnet, or anyone.')),
  ),
  leastStake: atOnce(
    z
      .int()
      .min(0)
      .max(21_000_000)
      .default(0)
      .meta(about('Least stake of those whom the axon answers, as the subnet counts it, in whole TAO.')),
  ),
});
export type AxonSettings = z.infer<typeof axon>;

export const axonSettings = section({ axon });
