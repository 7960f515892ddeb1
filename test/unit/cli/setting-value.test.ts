import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { knownSetting, typedValue } from '../../../src-main/cli/setting-value.ts';

const folder = resolve('/work/ada');
const typed = (path: string, ...words: string[]) =>
  typedValue(knownSetting(path), words, { folder, ask: async (question) => `typed at ${question}` });

it.each([
  ['data.contact', ['ada@example.org'], 'ada@example.org'],
  ['data.diskBudget', ['50000000000'], 50_000_000_000],
  ['data.diskBudget', ['much'], 'much'],
  ['data.upload.private', ['off'], false],
  ['data.upload.private', ['yes'], true],
  ['data.upload.private', ['perhaps'], 'perhaps'],
  ['data.upload.private', ['toString'], 'toString'],
  ['data.upload.private', ['__proto__'], '__proto__'],
  ['data.sources', ['folder', 'commons'], ['folder', 'commons']],
  ['data.sources', ['folder,commons'], ['folder', 'commons']],
  ['data.sources', ['[]'], []],
  ['data.folders', ['a, b', '~/Videos', '/srv'], [join(folder, 'a, b'), join(homedir(), 'Videos'), resolve('/srv')]],
  ['data.models.pictures', ['siglip2-base'], 'siglip2-base'],
  ['data.models.pictures', ['./mine'], join(folder, 'mine')],
])('reads for %s what is typed: %j', async (path, words, value) => {
  expect(await typed(path, ...words)).toEqual(value);
});

it('asks for a secret, and takes none that others could read', async () => {
  expect(await typed('data.upload.token')).toBe('typed at data.upload.token: ');
  await expect(typed('data.upload.token', 'hf_1234')).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.not.stringContaining('hf_1234'),
    hint: expect.stringContaining('quarry settings set data.upload.token'),
  });
});

it('says what is missing, and what is too much', async () => {
  await expect(typed('data.contact')).rejects.toThrow('Say what data.contact is to be.');
  await expect(typed('data.contact', 'ada', 'lovelace')).rejects.toThrow('takes one value, and 2 were given');
  expect(() => knownSetting('data.contct')).toThrow(/data\.contact/);
});
