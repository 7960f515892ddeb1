import { describe, expect, it } from 'vitest';
import { isNewer, latestRelease } from '../../../src-main/updates/latest-release.ts';

const URL = 'https://releases.example.org/latest';
const { signal } = new AbortController();
const answering = (body: string | ReadableStream, status = 200) => ({
  signal,
  fetch: async () => new Response(body, { status }),
});
const release = (tag: unknown) =>
  answering(JSON.stringify({ tag_name: tag, body: 'all that is new', html_url: 'https://x' }));

describe('the latest release', () => {
  it.each([
    ['v1.2.3', '1.2.3'],
    ['10.0.0', '10.0.0'],
    ['v01.2.3', '1.2.3'],
  ])('is read from its tag: %s', async (tag, version) => {
    expect(await latestRelease(URL, release(tag))).toBe(version);
  });

  it.each([
    ['v1.2'],
    ['1.2.3\u001b[31m'],
    ['1.2.3 is out, run curl evil'],
    [`${'9'.repeat(40)}.1.1`],
    [7],
    [undefined],
  ])('is none with another tag: %j', async (tag) => {
    await expect(latestRelease(URL, release(tag))).rejects.toThrow('no release with a version');
  });

  it('is none in what is no JSON, a refusal, or an endless answer, of which no more than a megabyte is read', async () => {
    await expect(latestRelease(URL, answering('<html>'))).rejects.toThrow();
    await expect(latestRelease(URL, answering('{}', 404))).rejects.toThrow('status 404');
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    await expect(latestRelease(URL, answering(endless))).rejects.toThrow('more than a megabyte');
    expect(sent).toBeLessThan(1_500_000);
  });

  it('is asked for without redirects, in the name of this program and of nobody', async () => {
    const asked: RequestInit[] = [];
    await latestRelease(URL, {
      signal,
      fetch: async (_url, init) => {
        asked.push(init ?? {});
        return Response.json({ tag_name: '1.0.0' });
      },
    });
    expect(asked).toMatchObject([
      { redirect: 'error', headers: { 'user-agent': expect.stringMatching(/^quarry\/\d/) } },
    ]);
    expect(Object.keys(asked[0]?.headers ?? {}).sort()).toEqual(['accept', 'user-agent']);
  });
});

it.each([
  ['1.2.4', '1.2.3', true],
  ['1.10.0', '1.9.9', true],
  ['2.0.0', '10.0.0', false],
  ['1.2.3', '1.2.3', false],
  ['1.2.3', '1.2.3-beta.1', false],
])('%s after %s: %s', (one, other, newer) => {
  expect(isNewer(one, other)).toBe(newer);
});
