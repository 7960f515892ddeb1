import type { Config } from '../../settings/config.ts';
import type { Settings } from '../../settings/settings.ts';

/** Calls back when a setting, or one below it, was set in the app and takes effect at once. @param path as in `policy.heat` */
export function whenSet(settings: Pick<Settings, 'subscribe'>, path: string, apply: (config: Config) => void): void {
  settings.subscribe((config, changed) => {
    if (changed.some((one) => one === path || one.startsWith(`${path}.`))) apply(config);
  });
}
