import { z } from 'zod';
import { SS58_LOOKS } from '../../../../../src-preload/contract/address-looks.ts';
import { about, atOnce, section, WEB_ADDRESS, webAddress } from '../../../../base/setting.ts';

const name = z.string().min(1).max(64);
/** TAO: a person who means more has to say so again. */
const MOST_A_DAY = 10_000;

const trade = {
  url: atOnce(
    webAddress
      .max(300)
      .optional()
      .meta(
        about('Address of the market of videos: https://…, or http:// on this computer.', {
          wanted: WEB_ADDRESS,
          shownDefault: 'none: nothing is bought or offered',
        }),
      ),
  ),
  key: atOnce(
    z
      .string()
      .regex(SS58_LOOKS)
      .optional()
      .meta(about('Key of that market, as whoever runs it tells it: what is signed for it is good for no other.')),
  ),
  wallet: atOnce(name.optional().meta(about('Wallet that pays for videos, and is paid for them.'))),
  hotkey: atOnce(
    name
      .default('default')
      .meta(about('Its hotkey, which signs what is said to the market. The wallet has to own it on the chain.')),
  ),
  dailyCap: atOnce(
    z
      .number()
      .min(0)
      .max(MOST_A_DAY)
      .default(0)
      .meta(
        about('TAO that may be spent on videos within 24 hours, what is locked included. With 0 nothing is bought.'),
      ),
  ),
};

/** Of whoever buys and sells videos at a market. */
export const tradeSettings = section({ trade: z.strictObject(trade) });
