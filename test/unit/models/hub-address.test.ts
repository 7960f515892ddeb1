import { expect, it } from 'vitest';
import { hubFileAddress } from '../../../src-main/models/hub-address.ts';

const HUB = 'https://hub.test';

it.each([
  ['main', 'model-Q4_0.gguf', 'main/model-Q4_0.gguf'],
  ['main', 'Q4_0/model.gguf', 'main/Q4_0/model.gguf'],
  ['refs/pr/1', 'model.gguf', 'refs%2Fpr%2F1/model.gguf'],
  ['main', 'a b#1?.gguf', 'main/a%20b%231%3F.gguf'],
  ['main', 'ünï%41.gguf', 'main/%C3%BCn%C3%AF%2541.gguf'],
])('of %s the file %s is at %s', (revision, path, end) => {
  const address = hubFileAddress(HUB, 'owner/name', revision, path);
  expect(address).toBe(`${HUB}/owner/name/resolve/${end}`);
  expect(new URL(address)).toMatchObject({ search: '', hash: '', href: address });
});
