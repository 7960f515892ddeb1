import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { videoCheck } from '../../src-main/app/market/video-check.ts';
import { nodeSpawner } from '../../src-main/process/process-spawner.ts';
import { openTestMarket } from '../support/market-server.ts';
import { recordedStream } from '../support/webm.ts';

/** What a stranger uploads is read in a process of its own: only what is a video, whole, and as long as was said, is listed. */
async function judged(bytes: Buffer, durationMs: number) {
  const market = await openTestMarket({ checkVideo: videoCheck(nodeSpawner) });
  const id = await market.offer(bytes, { durationMs });
  const offer = await market.looked(id);
  const files = (await readdir(market.folder)).filter((name) => name !== `${id}.webm`);
  return { offer, files };
}

it('a video is listed, and nothing of the work on it is left', async () => {
  const { bytes } = await recordedStream({ seconds: 61, sound: true });
  const { offer, files } = await judged(bytes, 61_000);
  expect(offer).toMatchObject({ state: 'submitted' });
  expect(files).toEqual([]);
});

it('a video of another length is not', async () => {
  const { bytes } = await recordedStream({ seconds: 61 });
  const { offer } = await judged(bytes, 600_000);
  expect(offer).toMatchObject({ state: 'rejected', reason: expect.stringMatching(/6\d{4} ms, and not 600000/) });
});

it('bytes that are no video are not', async () => {
  const { offer, files } = await judged(randomBytes(50_000), 600_000);
  expect(offer).toMatchObject({ state: 'rejected' });
  expect(files).toEqual([]);
});

it('what begins as a video and goes on as something else is not', async () => {
  const { bytes } = await recordedStream({ seconds: 61 });
  const { offer } = await judged(Buffer.concat([bytes.subarray(0, 400), randomBytes(50_000)]), 61_000);
  expect(offer).toMatchObject({ state: 'rejected' });
});
