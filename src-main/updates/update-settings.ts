import { z } from 'zod';
import { about, section, WEB_ADDRESS, webAddress } from '../base/setting.ts';

/** Who tells a node on a server that there is a newer version. The desktop app updates itself. */
export const updateSettings = section({
  updates: z.strictObject({
    url: webAddress
      .optional()
      .meta(
        about(
          'Where a node on a server asks once a day whether there is a newer version: the latest release of a repository, as GitHub’s API tells it, like `https://api.github.com/repos/OWNER/NAME/releases/latest`. It only tells of it.',
          { wanted: WEB_ADDRESS, shownDefault: 'nobody is asked' },
        ),
      ),
  }),
});
