import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXCLUDED_WINDOWS } from '../../../../src-main/focus/excluded-windows.ts';
import { excludedIn } from '../../../../src-main/focus/recording/excluded.ts';
import { InSight } from '../../../../src-main/focus/recording/in-sight.ts';
import type { FocusState } from '../../../../src-preload/contract/focus.ts';

describe('windows that are never recorded', () => {
  it.each([
    ['Passwords.kdbx - KeePassXC', 'KeePassXC'],
    ['1Password — Lock Screen', '1Password'],
    ['New Incognito Tab - Google Chrome (Incognito)', 'Incognito'],
    ['Startseite – InPrivate – Microsoft Edge', 'InPrivate'],
    ['Mozilla Firefox — Privater Modus', 'Privater Modus'],
    ['MOZILLA FIREFOX PRIVATE BROWSING', 'Private Browsing'],
    ['新しいシークレットタブ', 'シークレット'],
    ['新建无痕式标签页', '无痕'],
  ])('are known by their titles: %s', (title, by) => {
    expect(excludedIn(title, EXCLUDED_WINDOWS)).toBe(by);
  });

  it.each(['Budget.ods — LibreOffice Calc', 'Goalkeepers of the season - Chromium', 'Bitwardens', ''])(
    'are no others: «%s»',
    (title) => {
      expect(excludedIn(title, EXCLUDED_WINDOWS)).toBeUndefined();
    },
  );

  it('are found wherever the name stands as a word, whatever is around it', () => {
    const around = fc.string({ maxLength: 100 });
    fc.assert(
      fc.property(around, around, (before, after) => {
        expect(excludedIn(`${before} Enpass ${after}`, ['Enpass'])).toBe('Enpass');
      }),
    );
  });

  it('are not offered, and stop the recording of a screen while they are open; of a window they do not', async () => {
    const titles = ['Budget', 'Passwords - KeePass'];
    let live: FocusState['live'] = null;
    const recording = (surface: string) => ({ recording: { surface }, paused: false }) as FocusState['live'];
    const seen = new InSight({
      sources: async () => [
        { id: 'screen:0:0', name: 'KeePass', kind: 'screen', picture: '' },
        ...titles.map((name, at) => ({ id: `window:${at}:0`, name, kind: 'window' as const, picture: '' })),
      ],
      titles: async () => titles,
      live: () => live,
      idleMs: async () => 7,
      excluded: () => ['KeePass'],
      idleMinutes: () => 2,
    });
    const { sources, hidden } = await seen.sources();
    expect([sources.map(({ id }) => id), hidden]).toEqual([['screen:0:0', 'window:0:0'], 1]);
    const presence = { idleMs: 7, pauseAfterMs: 120_000 };
    expect(await seen.presence()).toEqual({ ...presence, covered: null });
    live = recording('window');
    expect(await seen.presence()).toEqual({ ...presence, covered: null });
    live = recording('screen');
    expect(await seen.presence()).toEqual({ ...presence, covered: 'KeePass' });
    titles.pop();
    expect(await seen.presence()).toEqual({ ...presence, covered: null });
  });
});
