import fc from 'fast-check';
import { expect, it } from 'vitest';
import { attributionOf } from '../../../../src-main/clips/sources/attribution.ts';
import { licenceName } from '../../../../src-main/clips/sources/licences.ts';
import { MAX_ATTRIBUTION_CHARS } from '../../../../src-preload/contract/data-limits.ts';
import { LICENCES } from '../../../../src-preload/contract/data-names.ts';

/** Halves of characters, what steers, and what HTML is made of. */
const HOSTILE = fc.constantFrom(...['a', 'é', '😀', '\ud83d', '\ude00', '\u202e', '<', '>', '&', ';', '\0', ' ', '\n']);

it('names title, author, source and licence', () => {
  const of = {
    licence: 'bySa',
    licenceUrl: 'https://creativecommons.org/licenses/by-sa/4.0/',
    author: 'An Example',
    page: 'https://commons.wikimedia.org/wiki/File:Ball.webm',
  } as const;
  expect(attributionOf('Ball', of)).toBe(
    '“Ball” by An Example, https://commons.wikimedia.org/wiki/File:Ball.webm, licensed under CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/).',
  );
  const zero = {
    ...of,
    licence: 'publicDomain',
    licenceUrl: 'https://creativecommons.org/publicdomain/zero/1.0/',
  } as const;
  expect(attributionOf('Ball', { ...zero, author: null, page: null })).toBe(
    '“Ball”, licensed under CC0 (https://creativecommons.org/publicdomain/zero/1.0/).',
  );
  expect(attributionOf('Ball', { ...of, licence: 'publicDomain', licenceUrl: null, page: null })).toBe(
    '“Ball” by An Example, in the public domain.',
  );
  expect(attributionOf('Ball', { licence: 'own', licenceUrl: null, author: null, page: null })).toBe('“Ball”');
});

it('never loses the licence, however long all else is', () => {
  const text = fc.string({ unit: HOSTILE, maxLength: 3_000 });
  const url = fc.webUrl({ withQueryParameters: true });
  fc.assert(
    fc.property(text, text, url, url, fc.constantFrom(...LICENCES), (title, author, page, licenceUrl, licence) => {
      const words = attributionOf(title, { licence, licenceUrl, author, page });
      expect(words.length).toBeLessThanOrEqual(MAX_ATTRIBUTION_CHARS);
      if (licence !== 'own') expect(words).toContain(licenceName(licence, licenceUrl));
    }),
  );
});
