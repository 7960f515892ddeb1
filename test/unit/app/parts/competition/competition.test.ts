import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import {
  type CompetitionNeeds,
  competitionReport,
  openCompetition,
} from '../../../../../src-main/app/parts/competition/competition.ts';
import type { Core } from '../../../../../src-main/app/parts/core.ts';
import { subnetMembers } from '../../../../../src-main/app/validator/subnet-members.ts';
import { Changes } from '../../../../../src-main/base/changes.ts';
import { loadConfig } from '../../../../../src-main/settings/config.ts';
import { ResultsDb } from '../../../../../src-main/store/results/results-db.ts';
import { REFERENCE } from '../../../../../src-main/subnets/quasar/gpu/artefact.ts';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { testSigner } from '../../../../support/bittensor-signer.ts';
import { memoryDatabase } from '../../../../support/memory-database.ts';
import { BASELINE, scriptedJudge } from '../../../../support/open-competition.ts';
import { temporaryFolder } from '../../../../support/quarry-process.ts';

/** A part over settings that change when the test says so. */
async function open(env: Record<string, string>, more: Partial<CompetitionNeeds> = {}) {
  const folder = await temporaryFolder();
  const [db, results] = [await memoryDatabase(), new ResultsDb({ dataDir: folder.path })];
  const signer = await testSigner('//Server');
  const closing: (() => unknown)[] = [() => folder.remove(), () => db.destroy(), () => results.close()];
  onTestFinished(async () => {
    for (const close of closing.reverse()) await close();
  });
  const loaded = loadConfig({ env: { QUARRY_COMPETITION_PORT: '0', QUARRY_VALIDATOR_WALLET: 'main', ...env } });
  const set: Record<string, unknown> = { ...loaded, 'competition.enabled': loaded.competition.enabled };
  const heeded: ((enabled: boolean) => void)[] = [];
  const follow = (name: string) => ({
    now: set[name],
    whenSet: (heed: (enabled: boolean) => void) => heeded.push(heed),
  });
  const core = {
    ...{ db, config: { ...loaded, dataDir: folder.path }, settings: { follow }, changes: new Changes() },
    ...{ log: pino({ level: 'silent' }), until: () => new AbortController().signal },
    onClose: (close: () => unknown) => void closing.push(close),
  } as unknown as Core;
  const opened: string[] = [];
  const part = await openCompetition(core, {
    ...{ chain: {}, kernels: { judge: scriptedJudge, baseline: async () => BASELINE }, stays: true },
    gpu: { judge: scriptedJudge, baseline: REFERENCE, closed: async () => 'no-card' },
    results: {
      opened: async () => {
        await results.open();
        return results;
      },
    },
    wallet: {
      wallets: async () => ({
        openHotkey: async ({ wallet }: { wallet: string }) => {
          opened.push(wallet);
          return { ...signer, close: async () => void opened.push('closed') };
        },
      }),
    },
    ...more,
  } as unknown as CompetitionNeeds);
  const report = competitionReport(part, { isSet: () => loaded.competition.enabled });
  const heed = (enabled: boolean) => {
    for (const one of heeded) one(enabled);
  };
  return { part, report, opened, heed };
}

const VALIDATOR = { QUARRY_ROLE: 'validator', QUARRY_COMPETITION_ENABLED: 'true' };

it('is served by validators alone, where it is set, and closes with the key that signs for it', async () => {
  const { part, report, opened, heed } = await open(VALIDATOR);
  expect(await part.state()).toMatchObject({ running: { open: { round: 1, clock: 'local', blocksUntilReveal: 100 } } });
  expect((await fetch(`${part.competition().url}/competition/1/health`)).status).toBe(200);
  expect(await report.checks?.competition?.()).toMatchObject({
    status: 'ok',
    found: expect.stringMatching(/round 1.*no graphics card/),
  });
  const figures = Object.fromEntries(
    await Promise.all((report.figures ?? []).map(async ({ name, read }) => [name, await read()])),
  );
  expect(figures).toMatchObject({ quarry_competition_running: 1, quarry_competition_round: 1 });
  heed(false);
  await expect.poll(async () => (await part.state()).running).toBeNull();
  await expect.poll(() => opened).toEqual(['main', 'closed']);
  expect(() => part.competition()).toThrow(expect.objectContaining({ code: 'NOT_RUNNING' }));
  const miner = await open({ ...VALIDATOR, QUARRY_ROLE: 'miner' });
  expect(await miner.part.state()).toEqual({ running: null });
});

const noBaseline = async (): Promise<Uint8Array> => {
  throw new QuarryError({ code: 'NOT_RUNNING', message: 'It is not there.', hint: 'Install it again.' });
};

it('says why where it cannot be opened', async () => {
  const { part, report, opened } = await open(VALIDATOR, { kernels: { judge: scriptedJudge, baseline: noBaseline } });
  expect(await part.state()).toMatchObject({ running: null, error: { code: 'NOT_RUNNING' } });
  expect(part.health()).toMatchObject({ ok: false });
  expect(await report.checks?.competition?.()).toMatchObject({ status: 'fail', advice: expect.any(String) });
  expect(opened).toEqual(['main', 'closed']);
});

it('a subnet is asked once a minute for whoever is on it', async () => {
  let [asked, now] = [0, 0];
  const neuron = { hotkey: 'ann', uid: 3, validatorPermit: true, totalStake: 7n };
  const lookup = subnetMembers(
    async () => {
      asked++;
      return { neurons: [neuron] } as never;
    },
    () => now,
  );
  const [ann, bob] = await Promise.all([lookup('ann'), lookup('bob')]);
  expect([ann, bob, asked]).toEqual([{ uid: 3, validatorPermit: true, stake: 7n }, undefined, 1]);
  now = 59_000;
  await lookup('ann');
  expect(asked).toBe(1);
  now = 61_000;
  await lookup('ann');
  expect(asked).toBe(2);
});
