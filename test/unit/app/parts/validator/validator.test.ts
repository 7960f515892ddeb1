import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Core } from '../../../../../src-main/app/parts/core.ts';
import { openChallenges } from '../../../../../src-main/app/parts/validator/challenges.ts';
import { openResults } from '../../../../../src-main/app/parts/validator/results.ts';
import { openValidator } from '../../../../../src-main/app/parts/validator/validator.ts';
import { Changes } from '../../../../../src-main/base/changes.ts';
import type { Committed } from '../../../../../src-main/bittensor/chain/subnet.ts';
import { identityFromSeed } from '../../../../../src-main/mesh/transport/identity.ts';
import { validatorSettings } from '../../../../../src-main/validation/validator-settings.ts';
import { testSigner } from '../../../../support/bittensor-signer.ts';
import { freePort } from '../../../../support/free-port.ts';
import { genuine } from '../../../../support/genuine-contract.ts';
import { temporaryFolder } from '../../../../support/quarry-process.ts';
import { until } from '../../../../support/until.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** A validator on a chain that never answers, unless it says something. */
async function open(says: () => Promise<Committed> = () => new Promise(() => {})) {
  const closing = new AsyncDisposableStack();
  const ending = new AbortController();
  const followed = {
    now: validatorSettings.shape.validator.parse({ environments: ['sat'], netuid: 3 }),
    whenSet: () => {},
  };
  const log = pino({ level: 'silent' });
  const failed = vi.spyOn(log, 'error');
  const core = {
    config: { dataDir: folder.path, bittensor: { network: 'local' }, drainSeconds: 1 },
    identity: identityFromSeed(Buffer.alloc(32, 7)),
    settings: { follow: () => followed },
    changes: new Changes(),
    until: (signal?: AbortSignal) => (signal ? AbortSignal.any([ending.signal, signal]) : ending.signal),
    onDrain: () => {},
    onClose: (close: () => void | Promise<void>) => closing.defer(close),
    log,
  } as unknown as Core;
  const committed = vi.fn(says);
  const signer = { ...(await testSigner('//Dendrite')), check: async () => {}, close: async () => {} };
  const wallet = { wallets: async () => ({ openHotkey: async () => signer }) };
  const results = openResults(core);
  const challenges = openChallenges(core, {
    ...{ results, sandbox: {} as never },
    ...{ engine: undefined, thresholds: async () => undefined },
  });
  const others = { inference: {}, engine: undefined, mesh: undefined, wallet, chain: { committed } };
  const validator = await openValidator(core, { ...others, results, challenges, stays: false } as never);
  const close = async () => {
    ending.abort();
    await closing.disposeAsync();
  };
  return { validator, results, followed, committed, failed, ending, close };
}

const isClosed = { code: 'NOT_RUNNING' };

it('what is being reckoned for /metrics comes to its end before the results are closed, which nothing opens again', async () => {
  const { validator, results, followed, committed, failed, close } = await open();
  await validator.start();
  followed.now = { ...followed.now, environments: ['sat', 'hvm'] };
  const scraped = validator.figures.find(({ name }) => name === 'score')?.read();
  await until(() => expect(committed).toHaveBeenCalledTimes(1));
  await validator.stop();
  const begun = performance.now();
  await close();
  expect(performance.now() - begun).toBeLessThan(2_000); // the chain that is silent is not waited for
  expect(await scraped).toEqual([]);
  expect(failed).not.toHaveBeenCalled();
  await expect(results.opened()).rejects.toMatchObject(isClosed);
  await expect(validator.results.stats(0)).rejects.toMatchObject(isClosed);
  await expect(results.db.get(1)).rejects.toMatchObject(isClosed);
});

it('the chain is asked once for whoever wants to know of the subnet: the run, and those who look at weights', async () => {
  const axon = { ip: '127.0.0.1', port: await freePort() };
  const neurons = [{ uid: 5, hotkey: 'a miner', axon, registeredAt: 77 }];
  const { validator, followed, committed, close } = await open(
    async () => ({ neurons, commitments: new Map() }) as never,
  );
  followed.now = { ...followed.now, wallet: 'mine' };
  await validator.start();
  const read = (wanted: string) => validator.figures.find(({ name }) => name === wanted)?.read();
  await until(() => expect(read('quarry_validator_miners')).toBe(1));
  expect(await read('score')).toEqual([]);
  await validator.results.weigh({ since: 0, burn: 0, preset: 'home' });
  expect(committed).toHaveBeenCalledTimes(1);
  await close();
});

it.each([
  ['export', 'reader'],
  ['export', 'node'],
  ['verify', 'reader'],
  ['verify', 'node'],
] as const)('%s ends with its %s, and does not look as if that were all', async (what, whose) => {
  const { validator, results, ending, close } = await open();
  const few = [1, 2, 3].map((at) => genuine(at, { miner: 'm', environment: 'sat' }));
  await (await results.opened()).addAll(few);
  const reader = new AbortController();
  const events = validator.results[what](reader.signal);
  if (what === 'export') await events.next();
  (whose === 'reader' ? reader : ending).abort();
  await expect(events.next()).rejects.toMatchObject({ name: 'AbortError' });
  await close();
});
