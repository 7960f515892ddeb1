import { about, section, WEB_ADDRESS, webAddress } from '../../base/setting.ts';

export const clockSettings = section({
  clockUrl: webAddress.optional().meta(
    about('Server whose time `quarry doctor` compares the clock with when no peer can be asked.', {
      wanted: WEB_ADDRESS,
    }),
  ),
});
