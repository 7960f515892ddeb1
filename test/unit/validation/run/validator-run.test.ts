import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Places } from '../../../../src-main/base/places.ts';
import { type Identity, identityFromSeed, verify } from '../../../../src-main/mesh/transport/identity.ts';
import type { Assignment } from '../../../../src-main/store/results/leases.ts';
import { ResultsDb } from '../../../../src-main/store/results/results-db.ts';
import type { MinerMean } from '../../../../src-main/store/results/score-tally.ts';
import { sat } from '../../../../src-main/subnets/affine/sat/sat.ts';
import { pose } from '../../../../src-main/validation/challenge.ts';
import type { Environment } from '../../../../src-main/validation/environment.ts';
import { readResult } from '../../../../src-main/validation/result.ts';
import { signAssignment } from '../../../../src-main/validation/run/drawn-assignment.ts';
import { type Miner, NotReached } from '../../../../src-main/validation/run/miner.ts';
import type { RunSettings, ValidatorRunOptions } from '../../../../src-main/validation/run/run-options.ts';
import { ValidatorRun } from '../../../../src-main/validation/run/validator-run.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { minerOf } from '../../../support/asked-miner.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';
import { signedResult } from '../../../support/results-contract.ts';
import { solve } from '../../../support/solver.ts';
import { until } from '../../../support/until.ts';

const signer = identityFromSeed(Buffer.alloc(32, 7));
const other = identityFromSeed(Buffer.alloc(32, 8));
const ENVIRONMENTS = [{ environment: sat as Environment, level: 'easy' }];
const SETTINGS: RunSettings = {
  ...{ environments: ENVIRONMENTS, concurrency: 4, perMiner: 2, perHour: 100_000, days: 30, keepDays: 90, trust: [] },
  ...{ maxTokens: 100, timeoutMs: 10_000, retries: 0 },
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let results: ResultsDb;
const runs: ValidatorRun[] = [];
beforeEach(async () => {
  folder = await temporaryFolder();
  results = new ResultsDb({ dataDir: folder.path });
  await results.open();
});
afterEach(async () => {
  await Promise.all(runs.splice(0).map((run) => run.close()));
  await results.close();
  await folder.remove();
});

function runOf(
  miners: readonly Miner[],
  changes: Partial<ValidatorRunOptions> & { settings?: () => RunSettings } = {},
) {
  const run = new ValidatorRun({
    results,
    miners: async () => miners,
    settings: () => SETTINGS,
    environmentOf: (name) => (name === 'sat' ? (sat as Environment) : undefined),
    signer,
    verify,
    graceMs: 0,
    lapsedMs: 10,
    log: pino({ level: 'silent' }),
    ...changes,
  });
  runs.push(run);
  run.open();
  return run;
}

/** A challenge for this miner, as a validator draws it. */
const drawn = (by: Identity, changes: Partial<Assignment> = {}) =>
  signAssignment(
    {
      ...{ environment: 'sat', version: sat.version, level: 'easy', miner: 'right', seed: 'b'.repeat(64) },
      ...changes,
    },
    by,
  );
const meanOf = (miner: string, count: number): MinerMean => ({
  ...{ environment: 'sat', version: sat.version, level: 'easy', miner, count },
  ...{ mean: 1, meanSquare: 1, zeros: 0, negatives: 0, since: 0, block: null },
});
const trusting = () => ({ ...SETTINGS, trust: [other.id] });

const right = minerOf('right', async ({ prompt }) => solve(prompt));
const wrong = minerOf('wrong', async () => 'UNSAT');
const silent = minerOf(
  'silent',
  ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
);

describe('a run of the validator', () => {
  it('asks all, keeps signed what comes, and each challenge once', async () => {
    const run = runOf([right, wrong]);
    await until(() => expect(run.state.answered).toBeGreaterThanOrEqual(60));
    await run.close();
    const all = await results.page({ limit: 500 });
    expect(all.length).toBe(run.state.answered);
    expect(new Set(all.map(({ seed }) => seed)).size).toBe(all.length);
    for (const result of all) {
      expect(readResult(result, verify)).toMatchObject({ miner: result.miner, model: `model of ${result.miner}` });
      expect(result.score).toBe(result.miner === 'right' ? 1 : 0);
    }
    expect(await results.leases.count()).toBe(0);
    expect(run.tallies.read('right')).toMatchObject({ inFlight: 0, failed: 0, error: null });
  });

  it('asks no more at once than it may, of all and of one', async () => {
    let [now, most] = [0, 0];
    const busy = minerOf('busy', async ({ prompt }) => {
      most = Math.max(most, ++now);
      await new Promise(setImmediate);
      now--;
      return solve(prompt);
    });
    const run = runOf([busy]);
    await until(() => expect(run.state.answered).toBeGreaterThanOrEqual(20));
    expect(most).toBe(2);
  });

  it('asks a miner no less for rows in its name that nobody can have asked', async () => {
    const settings = () => ({ ...SETTINGS, days: 1, concurrency: 1 });
    const most = SETTINGS.perHour * 24;
    const means = async () => [meanOf('right', 1e15), meanOf('wrong', most)];
    const { leases, list } = results;
    const open = () => results.open();
    const deleteBefore = async () => 0;
    const run = runOf([right, wrong], { results: { open, leases, list, means, deleteBefore }, settings });
    await until(() => expect(run.state.answered).toBeGreaterThanOrEqual(60));
    await run.close();
    const asked = (await results.page({ limit: 500 })).filter(({ miner }) => miner === 'right');
    expect(asked.length).toBeGreaterThan(10);
  });

  it('gives back what it cannot end, and whoever comes next asks that first, to its end', async () => {
    const first = runOf([silent]);
    await until(() => expect(first.state.inFlight).toBe(2));
    await first.close();
    expect(await results.leases.count()).toBe(2);
    const second = runOf([{ ...right, id: 'silent' }]);
    await until(() => expect(second.state.takenOver).toBe(2));
    await until(() => expect(second.state.answered).toBeGreaterThanOrEqual(4));
    await second.close();
    expect(await results.leases.count()).toBe(0);
  });

  it('leaves to others what they work on, and takes over what they have not ended in time', async () => {
    const now = Date.now();
    await results.leases.begin(drawn(other, { seed: 'a'.repeat(64) }), `${other.id}:1`, now + 3_600_000);
    const lapsed = await results.leases.begin(drawn(other), `${other.id}:1`, now - 1);
    const run = runOf([right], { settings: trusting });
    await until(() => expect(run.state.takenOver).toBe(1));
    await until(() => expect(run.state.answered).toBeGreaterThanOrEqual(5));
    await run.close();
    const seeds = (await results.page({ limit: 500 })).map(({ seed }) => seed);
    expect(seeds).toContain('b'.repeat(64));
    expect(seeds).not.toContain('a'.repeat(64));
    expect(await results.leases.end(lapsed, signedResult({ challengeId: 'too late' }), [other.id])).toBe(false);
  });

  it('leaves to others what they work on where its own clock is an hour ahead', async () => {
    const until10Minutes = Date.now() + 600_000;
    await results.leases.begin(drawn(other), `${other.id}:1`, until10Minutes);
    const honest = Date.now;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => honest() + 3_600_000);
    onTestFinished(() => clock.mockRestore());
    const held = vi.spyOn(results.leases, 'begin');
    const run = runOf([right], { settings: trusting });
    await until(() => expect(run.state.answered).toBeGreaterThanOrEqual(5));
    await run.close();
    expect(run.state.takenOver).toBe(0);
    expect(await results.leases.lapsed(until10Minutes - 1, [other.id])).toEqual([]);
    for (const [, , end] of held.mock.calls) expect(end).toBeLessThan(honest() + 1_800_000); // nobody waits an hour longer for it
  });

  it('takes over nothing that somebody else has put there, and drops what is not as its validator drew it', async () => {
    const now = Date.now();
    const stranger = identityFromSeed(Buffer.alloc(32, 9));
    const { signature } = drawn(other);
    const planted = [
      { ...drawn(stranger, { seed: '1' }), drawnBy: stranger.id }, // in his own name
      { ...drawn(stranger, { seed: '2' }), drawnBy: other.id }, // in a validator’s
      { ...drawn(other), seed: '3', signature }, // by a signature that is good for another seed
      { ...drawn(other, { seed: '4' }), miner: 'right', level: 'usual' },
      { ...drawn(signer, { seed: '5' }), signature: signer.sign(Buffer.from('quarry-result-1\n{}')) },
    ];
    for (const one of planted) await results.leases.begin(one, `${other.id}:1`, now - 1);
    const warned: { count: number }[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(JSON.parse(line)) });
    const asked = vi.fn(async ({ prompt }: { prompt: string }) => solve(prompt));
    const run = runOf([minerOf('right', asked)], { settings: trusting, log });
    await until(() => expect(warned.map(({ count }) => count)).toEqual([1, 1, 1, 1])); // one a look
    expect(run.state.answered).toBeGreaterThan(0);
    await run.close();
    expect(run.state.takenOver).toBe(0);
    const seeds = (await results.page({ limit: 500 })).map(({ seed }) => seed);
    expect(seeds.filter((seed) => seed.length < 64)).toEqual([]);
    expect(asked).toHaveBeenCalledTimes(seeds.length);
    expect(await results.leases.count()).toBe(1); // what nobody is trusted for stays until it is forgotten
  });

  it.each([
    ['that are forged', (seed: string) => ({ ...drawn(other, { seed }), signature: drawn(signer).signature })],
    ['that nobody can pose', (seed: string) => drawn(other, { seed, version: '0' })],
    ['that have ended', (seed: string) => drawn(other, { seed })],
  ])('goes on asking a miner in whose name there is a flood of challenges %s', async (_, planted) => {
    for (let at = 0; at < 100; at++) {
      const seed = `${at}`.padStart(64, '0');
      const { id: challengeId } = await pose(sat, 'easy', seed);
      await results.add(signedResult({ challengeId, miner: 'right', signer: other.id }));
      await results.leases.begin(planted(seed), `${other.id}:1`, Date.now() - 1);
    }
    const told: object[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void told.push(JSON.parse(line)) });
    const settings = () => ({ ...trusting(), perHour: 60 * 12 }); // 60 at once
    const run = runOf([right], { settings, log, lapsedMs: 3_600_000 });
    await until(() => expect(run.state.answered).toBe(60));
    await run.close();
    expect(await results.leases.count()).toBeGreaterThan(90);
    expect(told.length).toBeLessThan(5);
  });

  it('asks nothing again that has ended, though somebody puts it back', async () => {
    const lease = drawn(other);
    const done = runOf([{ ...wrong, id: 'right' }], { settings: trusting });
    await results.leases.begin(lease, `${other.id}:1`, Date.now() - 1);
    const isThere = async () => (await results.page({ limit: 500 })).some(({ seed }) => seed === lease.seed);
    await until(async () => expect(await isThere()).toBe(true));
    await done.close();
    await results.leases.begin(lease, `${other.id}:1`, Date.now() - 1); // its answer is known by now
    const prompts: string[] = [];
    const learned = minerOf('right', async ({ prompt }) => {
      prompts.push(prompt);
      return solve(prompt);
    });
    const again = runOf([learned], { signer: other, settings: () => ({ ...SETTINGS, trust: [signer.id] }) });
    await until(() => expect(again.state.takenOver).toBe(1));
    await until(() => expect(again.state.answered).toBeGreaterThanOrEqual(5));
    await again.close();
    expect(prompts).not.toContain((await pose(sat, 'easy', lease.seed)).prompt);
    const ofIt = (await results.page({ limit: 500 })).filter(({ seed }) => seed === lease.seed);
    expect(ofIt).toMatchObject([{ signer: signer.id, score: 0 }]);
    expect(await results.leases.count()).toBe(0);
  });

  it('drops what nobody can pose any more', async () => {
    const gone = drawn(signer, { version: '0', seed: 'c'.repeat(64) });
    await results.leases.begin(gone, `${signer.id}:1`, Date.now() - 1);
    const run = runOf([right]);
    await until(() => expect(run.state.answered).toBeGreaterThanOrEqual(1));
    await until(() => expect(run.state.takenOver).toBe(1));
    await run.close();
    expect((await results.page({ limit: 500 })).map(({ seed }) => seed)).not.toContain(gone.seed);
    expect(await results.leases.count()).toBe(0);
  });

  it.each([
    ['those that are older than all that are kept', 90, [80, 40, 20]],
    ['none that counts, however few are to be kept', 1, [20]],
  ])('forgets %s', async (_, keepDays, kept) => {
    const daysAgo = (days: number) =>
      signedResult({ challengeId: `${days}`, createdAt: Date.now() - days * 86_400_000 });
    await results.addAll([100, 80, 40, 20].map(daysAgo));
    runOf([], { settings: () => ({ ...SETTINGS, keepDays }) });
    await until(async () => {
      const left = (await results.page()).map(({ challengeId }) => Number(challengeId));
      expect(left.sort((a, b) => b - a)).toEqual(kept);
    });
  });

  it('keeps why no answer came, and goes on with the others', async () => {
    const refusal = new QuarryError({ code: 'UNAUTHORIZED', message: 'Not you.' });
    const run = runOf([right, minerOf('refuses', async () => Promise.reject(refusal))]);
    await until(() => expect([run.state.failed > 0, run.state.answered > 5]).toEqual([true, true]));
    await run.close();
    const failed = (await results.page({ limit: 500 })).find(({ miner }) => miner === 'refuses');
    expect(failed).toMatchObject({ success: false, score: 0, error: 'Not you.' });
    expect(run.tallies.read('refuses')).toMatchObject({ answered: 0, error: refusal });
  });

  it('keeps nothing of who was not reached but why, and leaves it alone for a while', async () => {
    let asked = 0;
    const refusal = new NotReached({ code: 'ENGINE_UNAVAILABLE', message: 'Nobody is there.' });
    const away = minerOf('away', async () => {
      asked++;
      throw refusal;
    });
    const run = runOf([right, away]);
    await until(() => expect([run.state.notReached > 0, run.state.answered > 40]).toEqual([true, true]));
    expect(run.state.failed).toBe(0);
    const { notReached } = run.state;
    expect(run.tallies.read('away')).toMatchObject({ answered: 0, failed: 0, notReached, error: refusal });
    expect(asked).toBeLessThanOrEqual(4);
    await run.close();
    expect((await results.page({ limit: 500 })).filter(({ miner }) => miner === 'away')).toEqual([]);
    expect(await results.leases.count()).toBe(0);
  });

  it('keeps the failure of who says it in a way that no database takes', async () => {
    const refusal = new QuarryError({ code: 'UNAUTHORIZED', message: `no \ud800\u0000${'😀'.repeat(400)}` });
    const model = `${'m'.repeat(255)}😀\u0000`;
    const run = runOf([{ ...minerOf('sly', async () => Promise.reject(refusal)), model }]);
    await until(() => expect(run.state.failed).toBeGreaterThan(0));
    await run.close();
    expect(await results.page()).toMatchObject([{ miner: 'sly', success: false, score: 0 }]);
  });

  it('leaves alone for a while who does not answer, and keeps places for those who do', async () => {
    let asked = 0;
    const gone = minerOf('gone', async () => {
      asked++;
      throw new QuarryError({ code: 'WORKER_LOST', message: 'It is away.' });
    });
    const run = runOf([gone, right]);
    await until(() => expect(run.state.answered).toBeGreaterThan(40));
    expect(asked).toBeLessThanOrEqual(4);
    const silents = Array.from({ length: 8 }, (_, at) => ({ ...silent, id: `silent-${at}` }));
    await run.close();
    const besides = runOf([...silents, right]);
    await until(() => expect(besides.state.answered).toBeGreaterThan(40));
  });

  it('says what keeps it from going on, and goes on when that is over', async () => {
    let isAway = true;
    const lost = new QuarryError({ code: 'CHAIN_UNREACHABLE', message: 'The chain is away.', retryable: true });
    const miners = async () => (isAway ? Promise.reject(lost) : [right]);
    const run = runOf([], { miners });
    await until(() => expect(run.state.trouble).toBe(lost));
    isAway = false;
    await until(() => expect(run.state.answered).toBeGreaterThan(0));
    expect(run.state.trouble).toBeNull();
  });

  it('asks nobody more often than it may in an hour, also where it is begun anew', async () => {
    const slow = () => ({ ...SETTINGS, perHour: 60 });
    const miners = [right, { ...right, id: 'also right' }];
    const run = runOf(miners, { settings: slow });
    await until(() => expect(run.state).toMatchObject({ answered: 10, inFlight: 0, atBound: 2 }));
    await run.close();
    const again = runOf([...miners, { ...right, id: 'new' }], { settings: slow });
    await until(() => expect(again.state).toMatchObject({ answered: 5, inFlight: 0, atBound: 3 }));
    expect(again.tallies.read('new').answered).toBe(5);
  });

  it('leaves alone who says that it is busy, for as long as it says, and what it was asked is wrong', async () => {
    let asked = 0;
    const both = Promise.withResolvers<void>();
    const busy = minerOf('busy', async ({ prompt }) => {
      if (++asked === 2) {
        both.resolve();
        await until(() => expect(run.tallies.read('busy').failed).toBe(1));
        return solve(prompt); // what it answers meanwhile does not shorten that
      }
      await both.promise;
      throw new QuarryError({ code: 'OVERLOADED', message: '429', retryable: true, retryAfterMs: 60_000 });
    });
    const run = runOf([busy, right], { settings: () => ({ ...SETTINGS, retries: 3 }) });
    await until(() => expect(run.tallies.read('busy').answered).toBe(1));
    const { answered } = run.state;
    await until(() => expect(run.state.answered).toBeGreaterThan(answered + 60));
    await run.close();
    expect(asked).toBe(2); // as many as are asked at once
    const ofIt = (await results.page({ limit: 500 })).filter(({ miner }) => miner === 'busy');
    expect(ofIt.filter(({ success }) => !success)).toMatchObject([{ score: 0, attempts: 1 }]);
    expect(await results.means(0, { signers: [signer.id] })).toEqual(
      expect.arrayContaining([expect.objectContaining({ miner: 'busy', count: asked, mean: (asked - 1) / asked })]),
    );
  });

  it('begins no more than what is missing to a number of answers', async () => {
    let asked = 0;
    const quick = minerOf('quick', async ({ prompt }) => {
      asked++;
      return solve(prompt);
    });
    const run = runOf([quick, right], { mostAnswers: 7 });
    await until(() => expect(run.state).toMatchObject({ answered: 7, inFlight: 0 }));
    const { beatAt } = run.state;
    await until(() => expect(run.state.beatAt).toBeGreaterThan(beatAt)); // it has looked for something to do again
    expect(await results.page({ limit: 500 })).toHaveLength(7);
    expect(asked).toBeLessThan(7);
  });

  it('blames nobody for what keeps it from judging', async () => {
    const broken = { ...sat, judge: () => Promise.reject(new Error('no sandbox')) } as unknown as Environment;
    const environments = [{ environment: broken, level: 'easy' }];
    let asked = 0;
    const miner = minerOf('asked', async () => {
      asked++;
      return 'UNSAT';
    });
    const run = runOf([miner], { settings: () => ({ ...SETTINGS, environments }), environmentOf: () => broken });
    await until(() => expect(run.state.trouble?.code).toBe('INTERNAL'));
    const { beatAt } = run.state;
    await until(() => expect(run.state.beatAt).toBeGreaterThan(beatAt + 1_000)); // it goes on, with nothing to be asked
    expect(run.state.trouble?.code).toBe('INTERNAL');
    expect(asked).toBeLessThanOrEqual(4);
    await run.close();
    expect(await results.page()).toEqual([]);
  });
});

describe('answers that take long to judge', () => {
  const UNTIL_ENDED = 'a program that spins';

  /** Its judgements need places of a sandbox: who spins has his until the test lets one go. */
  function slowToJudge(count = 2) {
    const places = new Places(count);
    const spinning: (() => void)[] = [];
    const work = async (answer: string, signal: AbortSignal | undefined) => {
      if (answer !== UNTIL_ENDED) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      signal?.addEventListener('abort', () => reject(signal.reason));
      spinning.push(resolve);
      await promise;
    };
    const judge: Environment['judge'] = async (task, answer, { party, signal } = {}) => {
      await places.take(() => work(answer, signal), { party, signal });
      return (sat as Environment).judge(task, answer);
    };
    const environment: Environment = { ...(sat as Environment), judge };
    const settings = () => ({ ...SETTINGS, environments: [{ environment, level: 'easy' }] });
    return { environment, spinning, options: { settings, environmentOf: () => environment } };
  }

  const honest = ['a', 'b', 'c'].map((id) => minerOf(id, async ({ prompt }) => solve(prompt)));
  const answeredOf = (run: ValidatorRun) => honest.map(({ id }) => run.tallies.read(id).answered);

  it('keep nobody waiting but the miner that gave them, and of it no more than a few are kept', async () => {
    const { spinning, options } = slowToJudge();
    let asked = 0;
    const spinner = minerOf('spinner', async () => {
      asked++;
      return UNTIL_ENDED;
    });
    const run = runOf([spinner, ...honest], options);
    for (let ended = 0; ended < 3; ended++) {
      const before = answeredOf(run);
      await until(() => expect(spinning).toHaveLength(1)); // one place: the other one is for all others
      await until(() => {
        for (const [at, now] of answeredOf(run).entries()) expect(now).toBeGreaterThan(before[at]! + 20);
      });
      expect(run.tallies.read('spinner')).toMatchObject({ answered: ended, inFlight: 0, judging: 4 });
      spinning.pop()!();
      await until(() => expect(run.tallies.read('spinner').answered).toBe(ended + 1));
    }
    expect(asked).toBeLessThanOrEqual(3 + 4);
  });

  it('take no place of those who are asked', async () => {
    const { options } = slowToJudge(1);
    const spinners = Array.from({ length: 6 }, (_, at) => minerOf(`spinner ${at}`, async () => UNTIL_ENDED));
    const run = runOf(spinners, options);
    await until(() => expect(spinners.filter(({ id }) => run.tallies.read(id).judging === 0)).toEqual([]));
    expect(run.tallies.count('inFlight')).toBe(0);
    expect(run.state.inFlight).toBeLessThanOrEqual(2 * SETTINGS.concurrency + spinners.length);
  });

  it('stay with the validator that has them for as long as that takes', async () => {
    const { spinning, options } = slowToJudge();
    const [held, next] = [minerOf('held', async () => UNTIL_ENDED), minerOf('held', async () => 'UNSAT')];
    let moment = Date.now();
    const now = () => moment;
    const first = runOf([held], { ...options, now, leaseMs: 300 });
    await until(() => expect(first.tallies.read('held').judging).toBe(4));
    const second = runOf([next], { now, signer: other });
    for (let time = 0; time < 5; time++) {
      moment += 200;
      await until(async () => expect(await results.leases.lapsed(moment + 250, [signer.id])).toEqual([])); // all have been prolonged
    }
    await until(() => expect(second.state.answered).toBeGreaterThan(0));
    expect(second.state.takenOver).toBe(0);
    spinning.pop()!();
    await until(() => expect(first.tallies.read('held').answered).toBe(1));
  });

  it('are given up where somebody else has taken them over', async () => {
    const { options } = slowToJudge();
    let asked = 0;
    const miner = minerOf('held', async () => {
      asked++;
      return UNTIL_ENDED;
    });
    const run = runOf([miner], { ...options, leaseMs: 300 });
    await until(() => expect(run.tallies.read('held').judging).toBe(4));
    const later = { now: Date.now() + 1_000_000, until: Date.now() + 3_000_000, drawnBy: [signer.id] };
    const taken = new Set<string>();
    await until(async () => {
      taken.add((await results.leases.takeOver('held', `${other.id}:1`, later))?.seed ?? '');
      expect(taken.size).toBeGreaterThanOrEqual(4);
    });
    await until(() => expect(asked).toBeGreaterThanOrEqual(7)); // there is room again
    expect(run.state).toMatchObject({ trouble: null, answered: 0 });
  });
});
