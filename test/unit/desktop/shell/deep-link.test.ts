import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../../../src-main/desktop/command-line.ts';
import { pageOfLink } from '../../../../src-main/desktop/shell/deep-link.ts';
import { PAGES } from '../../../../src-preload/contract/domains.ts';

describe('pageOfLink', () => {
  it.each([
    ['quarry://dashboard', '/#/'],
    ['quarry://earnings', '/#/earnings'],
    ['quarry://models/', '/#/models'],
    ['quarry://models/qwen3-0.6b', '/?model=qwen3-0.6b#/models'],
    ['quarry://models/downloads', '/#/models/downloads'],
    ['quarry://models/local', '/#/models/local'],
    ['quarry://settings', '/#/settings'],
    ['quarry://settings/policy', '/#/settings/policy'],
  ])('reads %s', (link, page) => {
    expect(pageOfLink(link)).toBe(page);
  });

  it.each(PAGES.flatMap((page) => ('places' in page ? page.places.map((place) => [page.name, page.path, place]) : [])))(
    'leads to every place of a page: %s, %s/%s',
    (name, path, place) => {
      expect(pageOfLink(`quarry://${name}/${place}`)).toBe(`/#${path}/${place}`);
    },
  );

  it.each([
    'quarry://nowhere',
    'quarry://models/../settings',
    'quarry://models/%2e%2e',
    'quarry://models/a/b',
    'quarry://earnings/policy',
    'quarry://settings/policy/general',
    'quarry://settings/downloads',
    'quarry://settings/apiToken',
    'quarry://settings?apiToken=x',
    'quarry://settings#x',
    'quarry://user@settings',
    'quarry:settings',
    'QUARRY://settings',
    'https://settings',
    'quarry-app://app/',
    'quarry://models/<script>',
    `quarry://models/${'a'.repeat(300)}`,
    'quarry://__proto__',
    '',
  ])('ignores %j', (link) => {
    expect(pageOfLink(link)).toBeUndefined();
  });

  it('opens only its own screens, whatever the link', () => {
    const parts = fc.constantFrom(
      'quarry://',
      'models',
      'settings',
      'policy',
      '/',
      '?',
      '#',
      '%2f',
      '..',
      'javascript:',
      '@',
      'x',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (pieces) => {
        const page = pageOfLink(pieces.join(''));
        return page === undefined || /^\/(\?model=[\w.-]+)?#\/[a-z]*(\/policy)?$/.test(page);
      }),
    );
  });
});

describe('parseCommandLine', () => {
  it('finds its own options among switches of Chromium', () => {
    const args = ['--allow-file-access', '--data', '/d', '--headless', '--config=/c.toml', '.', 'quarry://models'];
    expect(parseCommandLine(args)).toEqual({ headless: true, dataDir: '/d', configFile: '/c.toml', page: '/#/models' });
  });

  it('has nothing to say about an empty line', () => {
    expect(parseCommandLine([])).toEqual({
      headless: false,
      dataDir: undefined,
      configFile: undefined,
      page: undefined,
    });
  });

  it('does not take a link for an option, nor an option for a link', () => {
    expect(parseCommandLine(['quarry://x --data=/tmp']).dataDir).toBeUndefined();
    expect(parseCommandLine(['--data=quarry://settings']).page).toBeUndefined();
  });
});
