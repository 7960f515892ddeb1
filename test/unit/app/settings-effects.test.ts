import { expect, it } from 'vitest';
import type { App } from '../../../src-main/app/app.ts';
import { applySettings } from '../../../src-main/app/settings-effects.ts';
import { Changes } from '../../../src-main/base/changes.ts';
import { loadConfig } from '../../../src-main/settings/config.ts';
import type { SettingsListener } from '../../../src-main/settings/settings.ts';

/** A node that notes who is told of what. */
function node() {
  const told: unknown[] = [];
  let listener: SettingsListener = () => undefined;
  const config = loadConfig({
    env: { QUARRY_POLICY_HEAT: 'off', QUARRY_MODELS_DOWNLOAD_LIMIT: '2048', QUARRY_MODEL: 'tiny' },
  });
  const changes = new Changes();
  const app = {
    changes,
    settings: {
      subscribe: (one: SettingsListener) => {
        listener = one;
      },
    },
    policy: { configure: async ({ heat }: { heat: string }) => told.push(['policy', heat]) },
    models: { downloads: { limit: (rate: number | null) => told.push(['downloads', rate]) } },
    reloadModel: async () => told.push(['model', config.model]),
    modelsNode: { sharing: { limit: (rate: number | null) => told.push(['uploads', rate]) } },
  };
  applySettings(app as unknown as App);
  return { told, changes, set: (...changed: string[]) => listener(config, changed) };
}

it('tells those parts of a running node that a setting is about, and whoever watches', () => {
  const { told, changes, set } = node();
  set('policy.heat');
  set('models.downloadLimit', 'sharing.uploadLimit');
  set('nodeName');
  set('model');
  expect(told).toEqual([
    ['policy', 'off'],
    ['downloads', 2_048],
    ['uploads', 2_000_000],
    ['model', 'tiny'],
  ]);
  expect(changes.count).toBe(4);
});
