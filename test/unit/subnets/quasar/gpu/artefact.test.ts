import { expect, it } from 'vitest';
import { MOST_ARTEFACT_BYTES } from '../../../../../src-main/subnets/quasar/competition/rules/verdict.ts';
import { artefactOf, REFERENCE, repositoryOf } from '../../../../../src-main/subnets/quasar/gpu/artefact.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
const url = 'https://github.com/ann/flash-linear-attention';

it('a commit of a repository is the same bytes wherever it is named, and is read again', () => {
  const bytes = artefactOf({ url, commit });
  expect(bytes?.toString()).toBe(`{"commit":"${commit}","url":"${url}"}`);
  expect(bytes && repositoryOf(bytes)).toEqual({ url, commit });
  const longest = artefactOf({
    commit,
    url: `https://example.org/${'a'.repeat(90)}/${'b'.repeat(90)}/${'c'.repeat(90)}`,
  });
  expect(longest?.length).toBeLessThan(MOST_ARTEFACT_BYTES.gpu);
});

it.each([
  'http://github.com/ann/x',
  'https://ann:secret@github.com/ann/x',
  'https://ann@github.com/ann/x',
  'https://github.com:22/ann/x',
  'https://127.0.0.1/ann/x',
  'https://[::1]/ann/x',
  'https://localhost/x',
  'https://github.com/../x',
  'https://github.com/-upload-pack/x',
  'https://github.com/ann/x?y',
  'https://github.com/ann/x#y',
  'https://github.com/ann/$(id)',
  'https://github.com/ann/x y',
  'https://github.com/ann/x\n',
  'https://GitHub.com/ann/x',
  'https://github.com/',
  'file:///etc',
  'ssh://git@github.com/ann/x',
  'ext::sh -c id',
])('%s is no address of a repository', (address) => expect(artefactOf({ url: address, commit })).toBeUndefined());

it.each([
  ['another order', `{"url":"${url}","commit":"${commit}"}`],
  ['blanks', `{"commit": "${commit}","url":"${url}"}`],
  ['something else', `{"commit":"${commit}","more":1,"url":"${url}"}`],
  ['half a commit', `{"commit":"${commit.slice(1)}","url":"${url}"}`],
  ['the name of a branch', `{"commit":"main","url":"${url}"}`],
  ['nothing', ''],
  ['the reference', Buffer.from(REFERENCE).toString()],
])('bytes with %s name no repository', (_, text) => expect(repositoryOf(Buffer.from(text))).toBeUndefined());
