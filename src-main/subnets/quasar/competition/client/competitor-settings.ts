import { z } from 'zod';
import { SS58_LOOKS } from '../../../../../src-preload/contract/address-looks.ts';
import { about, atOnce, section, WEB_ADDRESS, webAddress } from '../../../../base/setting.ts';

const name = z.string().min(1).max(64);

const competitor = {
  server: atOnce(
    webAddress
      .max(300)
      .optional()
      .meta(
        about('Address of the server of a competition: https://…, or http:// on this computer.', {
          wanted: WEB_ADDRESS,
          shownDefault: 'none: no server is asked',
        }),
      ),
  ),
  key: atOnce(
    z
      .string()
      .regex(SS58_LOOKS)
      .optional()
      .meta(
        about('Key of that server, as whoever runs it tells it: then no other one is believed at this address.', {
          shownDefault: 'whichever key the server says',
        }),
      ),
  ),
  wallet: atOnce(name.optional().meta(about('Wallet whose hotkey submits to competitions, and earns there.'))),
  hotkey: atOnce(name.default('default').meta(about('Its hotkey, which signs what is said to a competition.'))),
  reveals: atOnce(
    z
      .boolean()
      .default(true)
      .meta(
        about(
          'Whether a running node reveals what it has committed to by itself, as soon as that may be. What is not revealed before its round ends does not count.',
        ),
      ),
  ),
};

/** Of whoever submits to competitions. */
export const competitorSettings = section({ competitor: z.strictObject(competitor) });
