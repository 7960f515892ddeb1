import { describe, expect, it } from 'vitest';
import { withKey } from '../../../../src-main/app/validator/miner-desk.ts';

const there = [{ name: 'mine', url: 'https://one.example/v1', model: '', apiKey: 'kept' }];
const changed = (url: string, apiKey?: string) =>
  withKey({ name: 'mine', url, model: 'm', ...(apiKey !== undefined && { apiKey }) }, there);

describe('the key of a miner', () => {
  it('stays where none is told and the server is the same', () => {
    expect(changed('https://one.example/v2')).toEqual({
      name: 'mine',
      url: 'https://one.example/v2',
      model: 'm',
      apiKey: 'kept',
    });
  });

  it.each([
    'https://two.example/v1',
    'http://one.example/v1',
    'https://one.example:8443/v1',
    'https://one.example.evil.example/v1',
  ])('does not go to another server: %s', (url) => {
    expect(changed(url).apiKey).toBe('');
  });

  it('is what is told, also nothing', () => {
    expect(changed('https://one.example/v1', 'new').apiKey).toBe('new');
    expect(changed('https://one.example/v1', '').apiKey).toBe('');
  });

  it('is none for a new one', () => {
    expect(withKey({ name: 'other', url: 'https://one.example/v1', model: '' }, there).apiKey).toBe('');
  });
});
