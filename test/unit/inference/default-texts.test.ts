import { expect, it } from 'vitest';
import { DEFAULTS } from '../../../src-preload/contract/defaults.ts';
import german from '../../../src-preload/contract/sayings/de/about-settings.json' with { type: 'json' };

it('the default of the context is told in German as it is', () => {
  expect(german['setting.contextSize.default']).toContain(String(DEFAULTS.contextSize));
});
