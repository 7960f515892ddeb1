import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { signaturesReady } from '../../../../../src-main/bittensor/sr25519.ts';
import type { CompetitionGuards, Reading } from '../../../../../src-main/store/competition/competition-guards.ts';
import { AddressBans } from '../../../../../src-main/subnets/quasar/competition/server/address-bans.ts';
import { ArtefactFiles } from '../../../../../src-main/subnets/quasar/competition/server/artefact-files.ts';
import { ChainClock, LocalClock } from '../../../../../src-main/subnets/quasar/competition/server/block-clock.ts';
import { testSigner } from '../../../../support/bittensor-signer.ts';

const BLOCK_MS = 12_000;

/** A local clock whose readings are kept in memory. */
async function localClock() {
  await signaturesReady();
  const server = await testSigner('//Server');
  const time = { now: 1_000_000 };
  const kept: { reading: Reading | undefined; writes: number } = { reading: undefined, writes: 0 };
  const store: Pick<CompetitionGuards, 'reading' | 'putReading'> = {
    reading: async () => kept.reading,
    putReading: async (reading) => {
      kept.writes++;
      kept.reading = reading;
    },
  };
  return { time, kept, open: () => LocalClock.open({ server, store, now: () => time.now }) };
}

it('a local clock counts blocks of twelve seconds, also over a restart, and writes once a block', async () => {
  const { time, kept, open } = await localClock();
  const clock = await open();
  const first = await clock.now();
  time.now += BLOCK_MS - 1;
  expect(await clock.now()).toBe(first);
  time.now += 1;
  expect(await Promise.all([clock.now(), clock.now()])).toEqual([first + 1, first + 1]);
  expect(kept.writes).toBe(2);
  time.now += 10 * BLOCK_MS + 5_000;
  expect(await (await open()).now()).toBe(first + 11);
  time.now += 7_000; // what was left of a block is not lost
  expect(await (await open()).now()).toBe(first + 12);
});

it('a local clock never goes back, and goes on where the computer’s was set back', async () => {
  const { time, open } = await localClock();
  const clock = await open();
  const first = await clock.now();
  time.now -= 1_000 * BLOCK_MS;
  expect(await clock.now()).toBe(first);
  time.now += BLOCK_MS;
  expect(await clock.now()).toBe(first + 1);
  expect(await (await open()).now()).toBe(first + 1);
});

it('a reading that somebody else has written is refused', async () => {
  const { kept, open } = await localClock();
  await (await open()).now();
  kept.reading = { ...(kept.reading as Reading), block: 999_999 };
  await expect(open()).rejects.toMatchObject({ code: 'DATABASE_CORRUPT' });
});

it('the chain’s clock is asked now and then, is never lower than before, and says where nobody answers', async () => {
  const time = { now: 0 };
  const heads = [100, 99, 102];
  const clock = new ChainClock(
    async () => {
      const head = heads.shift();
      if (head === undefined) throw new Error('No answer.');
      return head;
    },
    () => time.now,
  );
  expect(await clock.now()).toBe(100);
  expect(await clock.now()).toBe(100);
  expect(heads).toHaveLength(2);
  time.now += 5_000;
  expect(await clock.now()).toBe(100);
  time.now += 5_000;
  expect(await clock.now()).toBe(102);
  time.now += 5_000;
  await expect(clock.now()).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 });
});

it('artefacts are kept once each, whole or not at all, and what was changed on the disk is not given', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-artefacts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const files = new ArtefactFiles(folder);
  await files.open();
  const hash = await files.keep(Buffer.from('kernel'));
  await files.keep(Buffer.from('kernel'));
  expect([files.bytes, (await files.read(hash))?.toString()]).toEqual([6, 'kernel']);
  await writeFile(join(folder, `${'a'.repeat(64)}.bin.0123456789ab.tmp`), 'cut off');
  const again = new ArtefactFiles(folder);
  await again.open();
  expect([again.bytes, await readdir(folder)]).toEqual([6, [`${hash}.bin`]]);
  await writeFile(join(folder, `${hash}.bin`), 'other!');
  expect(await again.read(hash)).toBeUndefined();
  expect(await again.read('b'.repeat(64))).toBeUndefined();
});

it('of ten thousand addresses the one that failed longest ago and is not banned is forgotten for another; who is banned never', async () => {
  const row = { server: 's', failures: 1, banned_until: 9_000, appeal: null, appealed_by: null, appealed_at: null };
  const rows = Array.from({ length: 10_000 }, (_, at) => ({ ...row, address: `192.0.2.${at}`, failed_at: at }));
  for (const at of [7, 5]) Object.assign(rows[at] as object, { banned_until: 0 });
  const removed: string[] = [];
  const put: string[] = [];
  const store = {
    addresses: async () => rows,
    putAddress: async ({ address }: { address: string }) => void put.push(address),
    removeAddress: async (address: string) => void removed.push(address),
  };
  const bans = await AddressBans.open(store, () => 8_000);
  for (const ip of ['198.51.100.1', '198.51.100.2']) await bans.failed(ip);
  expect(removed).toEqual(['192.0.2.5', '192.0.2.7']);
  expect(put).toEqual(['198.51.100.1', '198.51.100.2']);
  expect(bans.banned()).toHaveLength(9_998);
});
