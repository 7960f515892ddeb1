import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  folderName,
  idOfFolder,
  isAdapterName,
  parsedRef,
  versionId,
} from '../../../../src-main/learning/adapters/version-id.ts';

describe('names of adapters', () => {
  it.each(['personal', 'user/work', 'Qwen3.5_a-b', '7', 'late-latest-ones'])('can be %s', (name) => {
    expect(isAdapterName(name)).toBe(true);
  });

  it.each([
    '',
    '.',
    '..',
    'a/../b',
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a b',
    'a@1',
    'ä',
    'a\\b',
    'a%2f',
    'a'.repeat(65),
    'a-latest',
    'a-init',
    'a-20261127-121900',
    'mesh',
    'local',
    'base',
  ])('cannot be %j', (name) => {
    expect(isAdapterName(name)).toBe(false);
  });
});

describe('a version’s id', () => {
  it('is the adapter’s name with the time in UTC', () => {
    expect(versionId('user/work', Date.UTC(2026, 10, 27, 12, 19, 0, 999))).toBe('user/work-20261127-121900');
  });
});

describe('what refers to a version', () => {
  it.each([
    ['personal@3', { by: 'number', name: 'personal', number: 3 }],
    ['user/work@12', { by: 'number', name: 'user/work', number: 12 }],
    ['personal@latest', { by: 'latest', name: 'personal' }],
    ['personal-latest', { by: 'latest', name: 'personal' }],
    ['personal', { by: 'text', text: 'personal' }],
    ['personal-init', { by: 'text', text: 'personal-init' }],
    ['personal@0', { by: 'text', text: 'personal@0' }],
    ['personal@-1', { by: 'text', text: 'personal@-1' }],
    ['@latest', { by: 'text', text: '@latest' }],
  ])('%s', (text, meant) => {
    expect(parsedRef(text)).toEqual(meant);
  });
});

describe('the folder of a version', () => {
  const ids = fc
    .stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,20}(\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,20}){0,2}$/)
    .map((name) => `${name}-20261127-121900`);

  it('has a plain name, from which the id can be told, and no two share one even where «A» is «a»', () => {
    fc.assert(
      fc.property(ids, ids, (one, other) => {
        expect(folderName(one)).toMatch(/^[a-z0-9_%-]{1,255}$/);
        expect(idOfFolder(folderName(one))).toBe(one);
        expect(folderName(one).toLowerCase() === folderName(other).toLowerCase()).toBe(one === other);
      }),
    );
  });

  it('fits a file system however long the name is', () => {
    expect(folderName(`${'/A'.repeat(32)}-20261127-121900`).length).toBeLessThanOrEqual(255);
  });

  it.each(['notes', 'personal', 'personal-latest', 'Personal-init', 'a%2-init', 'a%2F-init', 'a.b-init'])(
    'is not %s',
    (name) => {
      expect(idOfFolder(name)).toBeUndefined();
    },
  );
});
