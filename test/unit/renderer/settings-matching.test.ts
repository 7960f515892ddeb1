import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../../src-main/settings/config-settings.ts';
import type { Setting } from '../../../src-preload/contract/settings.ts';
import de from '../../../src-renderer/i18n/de/settings.json' with { type: 'json' };
import en from '../../../src-renderer/i18n/en/settings.json' with { type: 'json' };
import { matchingSettings } from '../../../src-renderer/pages/settings/fields/matching-settings.ts';

function setting(path: string, description: string, origin: Setting['origin'] = 'default'): Setting {
  const rest = { wanted: 'a text', applies: 'now', waitsForRestart: false, secret: false, isSet: false } as const;
  return { path, description, origin, type: 'string', ...rest };
}

const settings = [
  setting('port', 'Port of the API.', 'file'),
  setting('host', 'Address that the API listens on.'),
  setting('models.downloadLimit', 'Bytes a second for all downloads.'),
];

describe('matchingSettings', () => {
  it('finds settings in which every word occurs, in path or description', () => {
    const paths = (text: string) => matchingSettings(settings, { text, changedOnly: false }).map(({ path }) => path);
    expect(paths('api')).toEqual(['port', 'host']);
    expect(paths('API listens')).toEqual(['host']);
    expect(paths('DOWNLOADLIMIT bytes')).toEqual(['models.downloadLimit']);
    expect(paths('nothing')).toEqual([]);
  });

  it('can leave out what has its default', () => {
    expect(matchingSettings(settings, { text: '', changedOnly: true }).map(({ path }) => path)).toEqual(['port']);
  });
});

describe('names of settings', () => {
  it('are for settings that exist', () => {
    const known = new Set(SETTINGS.map(({ path }) => path));
    expect(namedPaths(en.field).filter((path) => !known.has(path))).toEqual([]);
  });

  it.each([
    ['English', en],
    ['German', de],
  ])('are there in %s for all of competitions, choices included', (_, texts) => {
    const ofCompetitions = SETTINGS.filter(({ path }) => /^competit(ion|or)\./.test(path));
    const named = new Set(namedPaths(texts.name));
    expect(ofCompetitions.map(({ path }) => path).filter((path) => !named.has(path))).toEqual([]);
    expect(ofCompetitions.flatMap((one) => one.choices ?? []).filter((one) => !(one in texts.choice))).toEqual([]);
  });

  it('are there for every choice that sections offer', () => {
    const offered = ['language', 'role', 'logLevel', 'policy.onBattery', 'policy.quietAction', 'backend'];
    const choices = SETTINGS.filter(({ path }) => offered.includes(path)).flatMap((one) => one.choices ?? []);
    expect(choices.filter((choice) => !(choice in en.choice))).toEqual([]);
  });
});

/** `{ mesh: { name: { label } } }` as `mesh.name`. */
function namedPaths(texts: object, parent = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' || 'label' in value ? [parent + key] : namedPaths(value, `${parent}${key}.`),
  );
}
