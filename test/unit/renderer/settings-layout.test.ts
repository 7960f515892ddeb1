import { afterEach, describe, expect, it } from 'vitest';
import { SETTINGS } from '../../../src-main/settings/config-settings.ts';
import { aboutSetting } from '../../../src-main/settings/config-view.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { placesOf } from '../../../src-preload/contract/pages.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Setting } from '../../../src-preload/contract/settings.ts';
import { sentenceAtField } from '../../../src-renderer/components/setting-field/sentence-at-field.ts';
import { i18n, speak } from '../../../src-renderer/i18n/i18n.ts';
import { settingTitle } from '../../../src-renderer/i18n/setting-title.ts';
import { gpuChoice } from '../../../src-renderer/pages/settings/engine/gpu-choice.ts';
import { FIELDS, homeOf, moreOf } from '../../../src-renderer/pages/settings/fields/layout.ts';

const placed = Object.values(FIELDS).flat();

function view(path: string, description = 'What it is for.'): Setting {
  const rest = { wanted: 'a text', applies: 'now', waitsForRestart: false, secret: false, isSet: false } as const;
  return { path, description, origin: 'default', type: 'string', said: aboutSetting({ path }), ...rest };
}

describe('the settings in their tabs', () => {
  it('are settings that there are, each in one section', () => {
    const known = new Set(SETTINGS.map(({ path }) => path));
    expect(placed.filter((path) => !known.has(path))).toEqual([]);
    expect(new Set(placed).size).toBe(placed.length);
  });

  it('are all looked for in a tab of the list, under All too', () => {
    for (const { path } of SETTINGS) expect(placesOf('settings'), path).toContain(homeOf(path));
    expect(SETTINGS.some(({ path }) => homeOf(path) === 'all')).toBe(false);
  });

  it('take in a new one by how its name begins, and none twice', () => {
    const paths = ['gpus', 'vramReserve', 'engine.spare', 'policy.onTram', 'mesh.colour', 'power.pricePerKwh', 'port'];
    const settings = paths.map((path) => ({ path }));
    const more = Object.fromEntries(
      placesOf('settings').map((place) => [place, moreOf(place, settings).map(({ path }) => path)]),
    );
    expect(more).toMatchObject({
      engine: ['gpus', 'vramReserve', 'engine.spare'],
      policy: ['policy.onTram'],
      network: ['mesh.colour'],
      general: ['power.pricePerKwh'],
    });
    expect(Object.values(more).flat()).toHaveLength(paths.length - 1);
  });
});

describe('the GPUs to use', () => {
  const two = ['RTX 3060', 'RTX 3090'];

  it('are all of them by default, and a list of numbers otherwise', () => {
    expect(gpuChoice(two, [])?.picked).toEqual(['0', '1']);
    expect(gpuChoice(two, ['1'])?.picked).toEqual(['1']);
    expect(gpuChoice(two, ['1'])?.valueOf(['1', '0'])).toBeNull();
    expect(gpuChoice(two, [])?.valueOf(['1'])).toEqual(['1']);
  });

  it('are no choice where there is one, or where the setting names them by id', () => {
    expect(gpuChoice(['RTX 3060'], [])).toBeUndefined();
    expect(gpuChoice(two, ['GPU-0a1b2c3d'])).toBeUndefined();
  });
});

describe('what a setting is called', () => {
  afterEach(() => speak('en'));

  it.each(['en', 'de'] as const)('is words in %s, of every setting that there is', async (language) => {
    await speak(language);
    const named = SETTINGS.filter(
      ({ path }) => i18n.exists(`settings:field.${path}.label`) || i18n.exists(`settings:name.${path}`),
    );
    expect(named.length).toBeGreaterThan(60);
    for (const { path, description } of SETTINGS) {
      const title = settingTitle(view(path, description));
      expect(title, path).not.toBe(path);
      expect(title, path).toMatch(/^[\p{Lu}]/u);
    }
  });

  it('is what main says of it where it has no name yet', () => {
    expect(settingTitle(view('from.tomorrow', 'Hours of sleep.'))).toBe('Hours of sleep');
  });
});

describe('what is wrong with a value', () => {
  it('stands at its field in words, without the way to a list of all settings', () => {
    const message = say('settings.mustBe', { path: 'policy.heatAbove', wanted: say('settings.wanted.text') });
    const error = new QuarryError({ code: 'CONFIG_INVALID', message, hint: say('settings.listed') });
    expect(error.message).toContain('policy.heatAbove');
    expect(sentenceAtField(error)).toBe('This must be a text.');
  });

  it('keeps what to do about it', () => {
    const message = say('settings.heat', { heatBelow: 90, heatAbove: 85 });
    const error = new QuarryError({ code: 'CONFIG_INVALID', message, hint: say('settings.degreesBetween') });
    expect(sentenceAtField(error)).toBe(
      '«Cool again below» (90 °C) must be less than «Too hot above» (85 °C). A few degrees between them keep the engine from switching on and off.',
    );
  });
});
