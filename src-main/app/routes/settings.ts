import { looksLikePath } from '../../settings/config-check.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ModelsPart } from '../parts/inference/models.ts';
import type { Domain } from './implementer.ts';

/** The contract's `settings`. */
export function settingsRoutes({ os }: Domain<'settings'>, settings: Settings, { desk }: Pick<ModelsPart, 'desk'>) {
  const set = async (input: { changes: Record<string, unknown> }) => {
    const { model } = input.changes;
    if (typeof model === 'string' && !looksLikePath(model)) await desk.checkInstalled(model, 'model');
    return await settings.set(input);
  };
  return {
    list: os.list.handler(() => settings.list()),
    set: os.set.handler(({ input }) => set(input)),
    newApiToken: os.newApiToken.handler(() => settings.newApiToken()),
  };
}
