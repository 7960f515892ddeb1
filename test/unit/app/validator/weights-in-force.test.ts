import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KnownEnvironments } from '../../../../src-main/app/validator/known-environments.ts';
import { ResultDesk } from '../../../../src-main/app/validator/result-desk.ts';
import { stats, weights } from '../../../../src-main/app/validator/weigh-view.ts';
import { chainWeights, weightsInForce } from '../../../../src-main/app/validator/weights-in-force.ts';
import { planWeights } from '../../../../src-main/bittensor/weights/weights-plan.ts';
import { identityFromSeed, verify } from '../../../../src-main/mesh/transport/identity.ts';
import { ResultsDb } from '../../../../src-main/store/results/results-db.ts';
import { openSqlite } from '../../../../src-main/store/sqlite.ts';
import { hvm } from '../../../../src-main/subnets/affine/hvm/hvm.ts';
import { sat } from '../../../../src-main/subnets/affine/sat/sat.ts';
import { GenuineResults } from '../../../../src-main/validation/genuine-results.ts';
import type { ResultPayload } from '../../../../src-main/validation/result.ts';
import { type ValidatorSettings, validatorSettings } from '../../../../src-main/validation/validator-settings.ts';
import { genuine } from '../../../support/genuine-contract.ts';
import { NO_REFERENCE } from '../../../support/no-reference.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';

const NEURONS = [
  { uid: 0, hotkey: 'owner', registeredAt: 1 },
  { uid: 3, hotkey: 'good', registeredAt: 20 },
  { uid: 5, hotkey: 'fair', registeredAt: 30 },
];
/** What the chain says, with commitments by hotkey: their block, and the model that they name. */
const saying = (commitments: Record<string, [block: number, model: string]> = {}) => ({
  committed: async () => ({
    neurons: NEURONS as never,
    commitments: new Map(
      Object.entries(commitments).map(([hotkey, [block, model]]) => [
        hotkey,
        { block, data: [Buffer.from(JSON.stringify({ model, revision: 'main' }))] },
      ]),
    ),
  }),
});
const own = identityFromSeed(Buffer.alloc(32, 7));
const SIGNERS = [own.id];
const EACH = 40;
const VERSIONS = new Map<string, string>([sat, hvm].map(({ name, version }) => [name, version]));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let results: ResultsDb;
let settings: ValidatorSettings;
beforeEach(async () => {
  folder = await temporaryFolder();
  results = new ResultsDb({ dataDir: folder.path });
  await results.open();
  settings = validatorSettings.shape.validator.parse({ environments: ['SAT', 'hvm'], preset: 'home', netuid: 3 });
});
afterEach(async () => {
  await results.close();
  await folder.remove();
});

const noSandbox = { run: () => Promise.reject(new Error('nothing is run here')) };
const needs = () => ({
  genuine: new GenuineResults(verify),
  ...{ results, settings: () => settings, own: own.id },
  known: new KnownEnvironments(noSandbox, async () => results, NO_REFERENCE),
  subnet: { lately: async () => undefined },
});

/** So many right answers of 40. */
async function did(
  miner: string,
  environment: string,
  right: number,
  way: Partial<ResultPayload> = { environmentVersion: VERSIONS.get(environment) ?? '1' },
): Promise<void> {
  const createdAt = Date.now() - 60_000;
  const about = (at: number) => ({
    challengeId: `${environment} ${at} ${way.environmentVersion} ${way.level}`,
    score: at < right ? 1 : 0,
    createdAt,
  });
  const all = Array.from({ length: EACH }, (_, at) => genuine(at, { miner, environment, ...about(at), ...way }));
  await results.addAll(all);
}

it('what people look at counts what is asked now, and other ways only where environments are named', async () => {
  settings = validatorSettings.shape.validator.parse({ environments: ['sat'], preset: 'home', level: 'usual' });
  const VERSION = VERSIONS.get('sat') ?? '1';
  await did('good', 'sat', 30, { environmentVersion: VERSION, level: 'usual' });
  await did('local/tiny', 'sat', 0, { environmentVersion: VERSION, level: 'easy' });
  await did('good', 'hvm', 40);
  const desk = new ResultDesk({
    ...needs(),
    opened: async () => results,
    until: (signal) => signal ?? new AbortController().signal,
  });
  const { environments, miners } = await desk.weigh({ since: 0, burn: 0, preset: 'home' });
  expect([environments, miners.map(({ miner, isEligible }) => [miner, isEligible])]).toEqual([
    ['sat'],
    [['good', true]],
  ]);
  const all = await desk.weigh({ since: 0, burn: 0, preset: 'home', environments: ['sat'] });
  expect(all.environments).toEqual(['sat (easy)', 'sat (usual)']);
});

it('count results of the days that are set, by this validator and by those that are trusted', async () => {
  const VERSION = VERSIONS.get('sat') ?? '1';
  const friend = identityFromSeed(Buffer.alloc(32, 8));
  const ago = (days: number) => Date.now() - days * 86_400_000;
  const about = { environment: 'sat', environmentVersion: VERSION, score: 1 };
  await results.addAll([
    genuine(1, { ...about, miner: 'of today', createdAt: ago(0) - 1_000 }),
    genuine(2, { ...about, miner: 'of last week', createdAt: ago(7) }),
    genuine(3, { ...about, miner: 'of a friend', createdAt: ago(0) - 1_000 }, friend),
  ]);
  const counted = async (changes: Partial<ValidatorSettings>) => {
    const base = { environments: ['sat'], preset: 'home' };
    settings = { ...validatorSettings.shape.validator.parse(base), ...changes };
    return (await weightsInForce(needs())).miners.map(({ miner }) => miner).sort();
  };
  expect(await counted({ days: 30 })).toEqual(['of last week', 'of today']);
  expect(await counted({ days: 3 })).toEqual(['of today']);
  expect(await counted({ days: 3, trust: [friend.id] })).toEqual(['of a friend', 'of today']);
});

describe('weights for the chain', () => {
  beforeEach(async () => {
    for (const environment of ['sat', 'hvm']) {
      await did('local/better', environment, 40);
      await did('has left', environment, 40);
      await did('good', environment, 36);
      await did('fair', environment, 20);
    }
    await did('stray', 'tried-once', 1);
  });

  it('are those of whoever is on the subnet, in the environments that are wanted', async () => {
    const { shares, burnt } = await chainWeights({ ...needs(), ...saying() }, 3);
    expect(planWeights({ shares, burnt }, NEURONS)).toEqual({ uids: [3], weights: [65_535], leftOut: [] });
  });

  it('are of results as they were signed, and say how many are not', async () => {
    const db = openSqlite(join(folder.path, 'results.db'));
    db.prepare("UPDATE results SET score = 1 WHERE miner = 'fair'").run();
    db.prepare("UPDATE results SET score = 0 WHERE miner = 'good'").run();
    db.close();
    const told: [number, number][] = [];
    const onLooked = ({ checked, forged }: { checked: number; forged: number }) => told.push([checked, forged]);
    const { shares } = await chainWeights({ ...needs(), ...saying(), onLooked }, 3).catch(() => ({
      shares: new Map(),
    }));
    expect(told).toEqual([[160, 112]]); // of who is registered: what was right before, or wrong, still is as it was signed
    expect(shares.get('fair') ?? 0).toBe(0);
  });

  it('go to whoever has enough, whatever there is of other environments', async () => {
    const { environments, miners } = await weightsInForce(needs());
    expect(environments).toEqual(['hvm', 'sat']);
    expect(miners.map(({ miner }) => miner)).not.toContain('stray');
    expect(miners.every(({ isEligible }) => isEligible)).toBe(true);
    const all = await weights(results, { since: 0, preset: 'home', burn: 0 }, { signers: SIGNERS });
    expect(all.environments).toEqual(['hvm', 'sat', 'tried-once']);
    expect(all.miners.some(({ isEligible }) => isEligible)).toBe(false);
  });

  it('do not count answers to another version, or at another level', async () => {
    await did('fair', 'sat', 40, { environmentVersion: '0' });
    await did('fair', 'sat', 40, { environmentVersion: sat.version, level: 'easy' });
    const { shares } = await chainWeights({ ...needs(), ...saying() }, 3);
    expect([shares.get('good'), shares.get('fair')]).toEqual([1, 0]);
    const { miners } = await weightsInForce(needs());
    const inSat = miners.flatMap(({ samples }) => samples).filter(({ environment }) => environment === 'sat');
    expect(inSat.find(({ miner }) => miner === 'fair')).toMatchObject({ count: 40, mean: 0.5, level: 'usual' });
  });

  it('are of miners at addresses and on the mesh, too, for which a hotkey stands that is on the subnet', async () => {
    const worker = 'a1'.repeat(32);
    for (const environment of ['sat', 'hvm']) {
      await did('endpoint/best', environment, 40);
      await did(worker, environment, 2);
      await did('endpoint/gone', environment, 40);
    }
    const before = await chainWeights({ ...needs(), ...saying() }, 3);
    expect([...before.shares.keys()].sort()).toEqual(['fair', 'good']);
    await results.hotkeys.put({ miner: 'endpoint/best', hotkey: 'owner' });
    await results.hotkeys.put({ miner: worker, hotkey: 'fair' }); // whose own axon does not count any more
    await results.hotkeys.put({ miner: 'endpoint/gone', hotkey: 'has left' });
    const told: number[] = [];
    const onLooked = ({ checked, forged }: { checked: number; forged: number }) => told.push(checked, forged);
    const { shares, burnt } = await chainWeights({ ...needs(), ...saying(), onLooked }, 3);
    expect(Object.fromEntries(shares)).toEqual({ owner: 1, good: 0, fair: 0 });
    expect(told).toEqual([6 * EACH, 0]);
    expect(planWeights({ shares, burnt }, NEURONS)).toEqual({ uids: [0], weights: [65_535], leftOut: [] });
  });

  it('are of results as they were signed also under the hotkey that stands for their miner', async () => {
    await results.hotkeys.put({ miner: 'endpoint/new', hotkey: 'owner' });
    const db = openSqlite(join(folder.path, 'results.db'));
    db.prepare("UPDATE results SET miner = 'endpoint/new' WHERE miner = 'good'").run();
    db.close();
    const told: [number, number][] = [];
    const onLooked = ({ checked, forged }: { checked: number; forged: number }) => told.push([checked, forged]);
    const { shares } = await chainWeights({ ...needs(), ...saying(), onLooked }, 3);
    expect(told).toEqual([[4 * EACH, 2 * EACH]]);
    expect([...shares.keys()]).toEqual(['fair']);
  });

  it('go to whoever committed first of those that are as good, whatever block their results were asked in', async () => {
    for (const environment of ['sat', 'hvm'])
      await did('owner', environment, 36, { environmentVersion: VERSIONS.get(environment) ?? '', block: 1 });
    const of = async (commitments: Record<string, [number, string]>) => {
      const { shares } = await chainWeights({ ...needs(), ...saying(commitments) }, 3);
      return [shares.get('owner'), shares.get('good')];
    };
    expect(await of({})).toEqual([1, 0]); // by their registrations
    expect(await of({ owner: [50, 'a'] })).toEqual([0, 1]);
    expect(await of({ owner: [50, 'a'], good: [40, 'b'] })).toEqual([0, 1]);
    expect(await of({ owner: [50, 'a'], good: [60, 'b'] })).toEqual([1, 0]); // it committed anew
  });

  it('are not those of a miner that names the model of one that committed before it, however good it is', async () => {
    const of = async (commitments: Record<string, [number, string]>) => {
      const { shares } = await chainWeights({ ...needs(), ...saying(commitments) }, 3);
      return Object.fromEntries(shares);
    };
    expect(await of({ good: [50, 'm'], fair: [40, 'm'] })).toEqual({ good: 0, fair: 1 });
    expect(await of({ good: [50, 'm'], owner: [40, 'm'] })).toEqual({ good: 0, fair: 1 }); // also of one without results
    expect(await of({ good: [50, 'm'], fair: [40, 'n'] })).toEqual({ good: 1, fair: 0 });
    expect(await of({ good: [40, 'm'], fair: [40, 'm'] })).toEqual({ good: 1, fair: 0 }); // in one block: the smaller number
    const all = { owner: [1, 'm'], good: [2, 'm'], fair: [3, 'm'] } as Record<string, [number, string]>;
    await expect(of(all)).rejects.toMatchObject({ message: expect.stringMatching(/enough results/) });
  });

  it('are looked at with what the chain said lately', async () => {
    await results.hotkeys.put({ miner: 'local/better', hotkey: 'owner' });
    const subnet = {
      lately: async () => (miner: string) => (miner === 'has left' ? { since: 1, copyOf: 'good' } : undefined),
    };
    const { miners } = await weightsInForce({ ...needs(), subnet });
    expect(miners.map(({ miner, hotkey, copyOf, isEligible }) => [miner, hotkey, copyOf, isEligible])).toEqual([
      ['local/better', 'owner', null, true],
      ['good', null, null, true],
      ['fair', null, null, true],
      ['has left', null, 'good', false],
    ]);
    expect(miners.at(-1)?.reasons[0]?.text).toBe(
      'It names the same model as good, which committed first: of several that do, only the first has a weight.',
    );
  });

  it('are nobody’s where nobody of the subnet was asked', async () => {
    const nobody = { ...needs(), committed: async () => undefined };
    await expect(chainWeights(nobody, 3)).rejects.toMatchObject({ message: expect.stringMatching(/enough results/) });
    const all = { ...nobody, settings: () => ({ ...nobody.settings(), burn: 1 }) };
    expect(await chainWeights(all, 3)).toEqual({ shares: new Map(), burnt: 1 });
  });
});

it('weights of more environments than can be reckoned say what to do, and are made of those that are named', async () => {
  for (let at = 0; at < 13; at++) await did('good', `e${at}`, 30);
  const by = { since: 0, preset: 'home', burn: 0 };
  await expect(weights(results, by, { signers: SIGNERS })).rejects.toMatchObject({
    ...{ code: 'BAD_REQUEST', field: 'environments' },
    hint: expect.stringContaining('--environment'),
  });
  const { environments, miners } = await weights(results, { ...by, environments: ['e3', 'e7'] }, { signers: SIGNERS });
  expect(environments).toEqual(['e3', 'e7']);
  expect(miners).toMatchObject([{ miner: 'good', weight: 1, samples: [{ environment: 'e3' }, { environment: 'e7' }] }]);
});

it('what was asked in several ways is named apart, and each way counts by itself', async () => {
  await did('good', 'hvm', 30);
  await did('good', 'sat', 20, { environmentVersion: '1' });
  await did('good', 'sat', 40, { environmentVersion: '1', level: 'easy' });
  const told = (await stats(results, 0, SIGNERS)).map(({ environment, mean }) => [environment, mean]);
  const ways = [
    ['sat (easy)', 1],
    ['sat (usual)', 0.5],
  ];
  expect(told).toEqual([['hvm', 0.75], ...ways]);
  const of = async (...environments: string[]) =>
    (await weights(results, { since: 0, preset: 'home', burn: 0, environments }, { signers: SIGNERS })).environments;
  expect(await of('sat')).toEqual(['sat (easy)', 'sat (usual)']);
  expect(await of('sat (easy)', 'hvm')).toEqual(['hvm', 'sat (easy)']);
  await did('good', 'sat', 0, { environmentVersion: '2' });
  expect((await stats(results, 0, SIGNERS)).map(({ environment }) => environment)).toEqual([
    ...['hvm', 'sat (1, easy)', 'sat (1, usual)', 'sat (2, usual)'],
  ]);
});

it('more environments than can be reckoned are refused as a setting', () => {
  const environments = Array.from({ length: 13 }, (_, at) => `elr:${at}`);
  expect(validatorSettings.shape.validator.safeParse({ environments }).error?.issues).toMatchObject([
    { code: 'too_big', maximum: 12 },
  ]);
});
