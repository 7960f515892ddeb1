import type { Settings } from '../../settings/settings.ts';
import type { Domain } from './implementer.ts';

/** The contract's `settings`. */
export function settingsRoutes({ os }: Domain<'settings'>, settings: Settings) {
  return {
    list: os.list.handler(() => settings.list()),
    set: os.set.handler(({ input }) => settings.set(input)),
    newApiToken: os.newApiToken.handler(() => settings.newApiToken()),
  };
}
