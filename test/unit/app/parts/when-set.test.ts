import { expect, it } from 'vitest';
import { whenSet } from '../../../../src-main/app/parts/when-set.ts';
import { loadConfig } from '../../../../src-main/settings/config.ts';
import type { SettingsListener } from '../../../../src-main/settings/settings.ts';

it('tells of a setting and of those below it, and of no others', () => {
  const listeners: SettingsListener[] = [];
  const settings = {
    subscribe: (listener: SettingsListener) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const told: unknown[] = [];
  whenSet(settings, 'policy', ({ policy }) => told.push(['policy', policy.heat]));
  whenSet(settings, 'model', ({ model }) => told.push(['model', model]));
  const config = loadConfig({ env: { QUARRY_POLICY_HEAT: 'off', QUARRY_MODEL: 'tiny' } });
  const set = (...changed: string[]) => {
    for (const listener of listeners) listener(config, changed);
  };
  set('policy.heat');
  set('models.downloadLimit', 'nodeName', 'policyX');
  set('model');
  expect(told).toEqual([
    ['policy', 'off'],
    ['model', 'tiny'],
  ]);
});
