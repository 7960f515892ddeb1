import { z } from 'zod';
import { CHAIN_NETWORKS } from '../../src-preload/contract/chain.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { about, section } from '../base/setting.ts';
import { officialSettings } from './official-settings.ts';
import { ARCHIVE } from './public-endpoints.ts';

const MOST_URL_CHARS = 300;

const bittensor = {
  walletFolder: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .meta(
      about('Folder of wallets, as Bittensor’s programs lay it out.', {
        isPath: 'always',
        shownDefault: '`.bittensor/wallets` in the home folder',
        elsewhere: 'BT_WALLET_PATH',
      }),
    ),
  network: z
    .enum(CHAIN_NETWORKS)
    .default('finney')
    .meta(
      about('The chain: finney, where TAO is money, its test network, or one on this computer.', {
        elsewhere: 'BT_SUBTENSOR_NETWORK',
        hint: say('bittensor.chain.ownEndpoint', { archive: ARCHIVE }),
        option: { form: '--network <name>', help: 'the chain (default: finney)', command: 'chain' },
      }),
    ),
  endpoint: z
    .url({ protocol: /^wss?$/ })
    .max(MOST_URL_CHARS)
    .optional()
    .meta(
      about('A node of the chain of one’s own, as `wss://…` or `ws://…`; others are not asked then.', {
        wanted: say('settings.wanted.chainUrl'),
        shownDefault: 'the public ones of the network',
        elsewhere: 'BT_SUBTENSOR_CHAIN_ENDPOINT',
        option: { form: '--endpoint <url>', help: 'a node of the chain: wss://… or ws://…', command: 'chain' },
      }),
    ),
};

export const bittensorSettings = section({ bittensor: z.strictObject(bittensor) }, { elsewhere: officialSettings });
