import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  licenceName,
  licenceOfName,
  licenceOfPeerTube,
  licenceOfUrl,
  peerTubeIds,
  whyUnusable,
} from '../../../../src-main/clips/sources/licences.ts';
import { LICENCES, USABLE_LICENCES } from '../../../../src-preload/contract/data-names.ts';

const DEEDS = [
  ['by', 'by'],
  ['by-sa', 'bySa'],
  ['by-nc', 'byNc'],
  ['by-nc-sa', 'byNcSa'],
  ['by-nd', 'byNd'],
  ['by-nc-nd', 'byNcNd'],
  ['by-nd-nc', 'byNcNd'],
] as const;
const NO_DERIVATIVES = ['byNd', 'byNcNd', 'unknown'];

describe('a licence by its address', () => {
  it.each(DEEDS)('%s is %s, in any version, country and language', (name, licence) => {
    const country = fc.constantFrom('', 'us/', 'de/', 'deed.en', 'au/deed.en', 'legalcode');
    const version = fc.constantFrom('1.0', '2.0', '2.5', '3.0', '4.0');
    const host = fc.constantFrom(
      'http://creativecommons.org',
      'https://www.creativecommons.org',
      '//creativecommons.org',
    );
    fc.assert(
      fc.property(host, version, country, (origin, number, end) => {
        expect(licenceOfUrl(`${origin}/licenses/${name}/${number}/${end}`)).toBe(licence);
      }),
    );
  });

  it.each([
    ['https://creativecommons.org/publicdomain/zero/1.0/', 'publicDomain'],
    ['http://creativecommons.org/publicdomain/mark/1.0/', 'publicDomain'],
    ['http://creativecommons.org/licenses/publicdomain/', 'publicDomain'],
    ['https://creativecommons.org/licenses/by-sa/4.0', 'bySa'],
    ['https://creativecommons.org/licenses/sa/1.0/', 'unknown'],
    ['https://creativecommons.org/licenses/sampling+/1.0/', 'unknown'],
    ['https://creativecommons.org/licenses/by-sa-nd/4.0/', 'unknown'],
    ['https://creativecommons.org/licenses/by-by/4.0/', 'unknown'],
    ['https://creativecommons.org/publicdomain/by/1.0/', 'unknown'],
    ['https://creativecommons.org.evil.example/licenses/by/4.0/', 'unknown'],
    ['https://evil.example/creativecommons.org/licenses/by/4.0/', 'unknown'],
    ['javascript:creativecommons.org/licenses/by/4.0/', 'unknown'],
    ['https://creativecommons.org/licenses/by/4.0/, https://creativecommons.org/licenses/by-nd/4.0/', 'unknown'],
    ['https://creativecommons.org/licenses/by/4.0/ https://creativecommons.org/licenses/by-nd/4.0/', 'unknown'],
    ['https://creativecommons.org/licenses/by/4.0/?ref=chooser-v1', 'by'],
    ['', 'unknown'],
  ])('%s: %s', (url, licence) => expect(licenceOfUrl(url)).toBe(licence));

  it('is never a licence to change a work where the address has «nd» in it, whatever else stands there', () => {
    const part = fc.constantFrom('by', 'nc', 'sa', 'nd', 'by', 'zero');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const licence = licenceOfUrl(`https://creativecommons.org/licenses/${parts.join('-')}/4.0/`);
        if (parts.includes('nd') || !parts.includes('by')) expect(NO_DERIVATIVES).toContain(licence);
      }),
    );
  });

  it('is one of them for any text', () => {
    fc.assert(fc.property(fc.string(), (text) => void expect(LICENCES).toContain(licenceOfUrl(text))));
    fc.assert(fc.property(fc.string(), (text) => void expect(LICENCES).toContain(licenceOfName(text))));
  });
});

describe('a licence by its name', () => {
  it.each([
    ['CC BY-SA 4.0', 'bySa'],
    ['CC BY 3.0 us', 'by'],
    ['CC-BY-SA-3.0', 'bySa'],
    ['cc by-sa 2.5-2.0-1.0', 'bySa'],
    ['CC BY-NC-ND 4.0', 'byNcNd'],
    ['CC0', 'publicDomain'],
    ['Public domain', 'publicDomain'],
    ['PD-USGov', 'publicDomain'],
    ['Creative Commons Attribution license (reuse allowed)', 'by'],
    ['Creative Commons Attribution-NonCommercial-NoDerivatives 4.0', 'byNcNd'],
    ['Creative Commons Attribution Share Alike 3.0', 'bySa'],
    ['CC Bystander', 'unknown'],
    ['CC BY NoDerivs 3.0', 'unknown'],
    ['CC BY_NC_ND 4.0', 'unknown'],
    ['CC BY 4.0 / CC BY-ND 4.0', 'unknown'],
    ['CC BY (no derivatives)', 'unknown'],
    ['CC SA 1.0', 'unknown'],
    ['CC0rp', 'unknown'],
    ['PDF', 'unknown'],
    ['not in the public domain', 'unknown'],
    ['Standard YouTube License', 'unknown'],
    ['GFDL', 'unknown'],
    ['', 'unknown'],
  ])('%s: %s', (name, licence) => expect(licenceOfName(name)).toBe(licence));
});

it('has PeerTube’s numbers, and asks it for those that may be used', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 0, -1, null].map(licenceOfPeerTube)).toEqual([
    ...['by', 'bySa', 'byNd', 'byNc', 'byNcSa', 'byNcNd', 'publicDomain'],
    ...['unknown', 'unknown', 'unknown', 'unknown'],
  ]);
  expect(peerTubeIds(USABLE_LICENCES)).toEqual([1, 2, 4, 5, 7]);
});

it('names a licence with the version that its address says', () => {
  expect(licenceName('bySa', 'https://creativecommons.org/licenses/by-sa/3.0/de/')).toBe('CC BY-SA 3.0');
  expect(licenceName('by', null)).toBe('CC BY');
  expect(licenceName('publicDomain', 'https://creativecommons.org/publicdomain/zero/1.0/')).toBe('CC0');
});

it('says why one is of no use', () => {
  expect(USABLE_LICENCES.map((licence) => whyUnusable(licence))).toEqual(USABLE_LICENCES.map(() => undefined));
  expect(whyUnusable('unknown')?.key).toBe('clipSources.noLicence');
  expect(whyUnusable('byNd', LICENCES)?.key).toBe('clipSources.noDerivatives');
  expect(whyUnusable('byNc', ['own', 'by'])?.key).toBe('clipSources.notAllowed');
});
