import { describe, expect, it } from 'vitest';
import { ACTIONS, SECTIONS } from '../../../src-renderer/app/finder-index.ts';
import { matching } from '../../../src-renderer/app/finder-match.ts';
import { de } from '../../../src-renderer/i18n/de.ts';
import { en } from '../../../src-renderer/i18n/en.ts';

function titled(texts: typeof en, key: string): string {
  const [namespace = '', path = ''] = key.split(':');
  const found = path
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], texts[namespace]);
  if (typeof found !== 'string') throw new Error(`There is no text ${key}.`);
  return found;
}

/** The titles that are found, as the palette shows them. */
function found(query: string, texts: typeof en): string[] {
  const groups = [ACTIONS, SECTIONS].map((entries, place) => ({
    group: String(place),
    actions: entries.map(({ title, words }) => ({ id: title, label: titled(texts, title), keywords: words })),
  }));
  return matching(query, groups, 12).flatMap(({ actions }) =>
    actions.map(({ label }: { label?: string }) => label ?? ''),
  );
}

describe('the palette', () => {
  it.each([
    ['backup', 'Back up this node'],
    ['restore', 'Restore from a backup'],
    ['password', 'API token'],
    ['strom', 'Electricity'],
    ['node add', 'Add a node'],
    ['verify', 'Verify ledger'],
  ])('finds by «%s» «%s»', (query, title) => expect(found(query, en)).toContain(title));

  it.each([
    ['sicherung', 'Diesen Knoten sichern'],
    ['backup', 'Diesen Knoten sichern'],
    ['passwort', 'API-Token'],
    ['strom', 'Strom'],
    ['Knoten hinzu', 'Knoten hinzufügen'],
  ])('finds by «%s» «%s» in German', (query, title) => expect(found(query, de)).toContain(title));

  it('puts a group with the words in a label before one with them elsewhere', () => {
    const groups = [
      { group: 'a', actions: [{ id: '1', label: 'Other', keywords: 'power' }] },
      { group: 'b', actions: [{ id: '2', label: 'Power' }] },
    ];
    expect(matching('power', groups, 12).map(({ group }) => group)).toEqual(['b', 'a']);
    expect(matching('power', groups, 1).map(({ group }) => group)).toEqual(['b']);
    expect(matching('nothing', groups, 12)).toEqual([]);
  });
});
