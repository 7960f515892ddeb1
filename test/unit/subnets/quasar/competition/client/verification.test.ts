import { describe, expect, it, onTestFinished } from 'vitest';
import { verified } from '../../../../../../src-main/subnets/quasar/competition/client/verification.ts';
import { recordBytes } from '../../../../../../src-main/subnets/quasar/competition/rules/record.ts';
import type { Judge } from '../../../../../../src-main/subnets/quasar/competition/rules/verdict.ts';
import type { Leaderboard, Recorded, RoundRecord } from '../../../../../../src-main/subnets/quasar/competition/wire.ts';
import type { RecordCheck, VerificationStep } from '../../../../../../src-preload/contract/competition.ts';
import { QuarryError } from '../../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../../src-preload/contract/saying.ts';
import { testSigner } from '../../../../../support/bittensor-signer.ts';
import { openEntries } from '../../../../../support/competition-entries.ts';
import { memoryDatabase } from '../../../../../support/memory-database.ts';
import { temporaryFolder } from '../../../../../support/quarry-process.ts';
import { FASTER, SmallCompetition } from '../../../../../support/small-competition.ts';

const { signal } = new AbortController();

/** A round that has ended, in which `//Alice` and `//Bob` have submitted the same, and Bob something else besides. */
async function ended() {
  const server = await SmallCompetition.open();
  const [db, folder] = [await memoryDatabase(), await temporaryFolder()];
  onTestFinished(async () => {
    await server.close();
    await db.destroy();
    await folder.remove();
  });
  const alice = openEntries(db, folder.path, server.url);
  const bob = openEntries(db, folder.path, server.url, { uri: '//Bob' });
  const made = [
    [alice, await alice.prepared('a kernel')],
    [bob, await bob.prepared('a kernel')],
    [bob, await bob.prepared('another kernel', 500_000)],
  ] as const;
  for (const [whose, { id }] of made) await whose.entries.submit(id, signal);
  server.block += 100;
  for (const [whose, { id }] of made) await whose.entries.reveal(id, signal);
  server.judge();
  await server.end();
  const as = { server: server.key, signer: await testSigner('//Alice') };
  const client = alice.servers.client();
  const verify = async (judge?: Judge, round = 1) => {
    const steps: VerificationStep[] = [];
    const own = await alice.store.newest(100);
    for await (const step of verified({ client, as, round, own, judge }, signal)) steps.push(step);
    return steps.at(-1) as Extract<VerificationStep, { type: 'done' }>;
  };
  /** The server signs something else. */
  const change = async (make: (record: RoundRecord) => RoundRecord, { signsAgain = true, round = 1 } = {}) => {
    const { record, signature } = server.records.get(round) as { record: RoundRecord; signature: string };
    const changed = make(structuredClone(record));
    server.records.set(round, {
      record: changed,
      signature: signsAgain ? await server.sign(recordBytes(changed)) : signature,
    });
  };
  for (const [whose, { id }] of made) await whose.entries.look(id, signal);
  return { server, client, verify, change, bob };
}

it('a round that is as its server says is found so, with the copy, and with own submissions', async () => {
  const { server, verify } = await ended();
  const { isRight, checks } = await verify();
  expect(checks.filter((one) => !one.isRight)).toEqual([]);
  expect([isRight, checks.length]).toEqual([true, 9]);
  expect(server.records.get(1)?.record.submissions.map(({ state }) => state)).toEqual(['right', 'copied', 'right']);
});

const [first, second] = [0, 2];
it.each<[string, string, (record: RoundRecord) => RoundRecord]>([
  ['the seed', 'seed', (record) => ({ ...record, seed: 'a'.repeat(64) })],
  ['a salt', 'commitments', (record) => with_(record, first, { salt: 'b'.repeat(64) })],
  ['whose it is', 'commitments', (record) => with_(record, first, { hotkey: record.submissions[1]?.hotkey ?? '' })],
  ['a reveal before its block', 'blocks', (record) => with_(record, first, { revealedBlock: 1_001 })],
  ['a reveal after the end', 'blocks', (record) => with_(record, first, { revealedBlock: record.closedBlock + 1 })],
  ['a baseline of one league alone', 'ranking', (record) => withBaseline(record, { sha256: 'c'.repeat(64) })],
  [
    'a baseline that somebody is said to have won',
    'ranking',
    (record) => withBaseline(record, { submission: 'd'.repeat(32) }),
  ],
  ['whose the bytes are said to have been before', 'copies', ownedBySecond],
  ['a copy that counts', 'copies', (record) => with_(record, 1, { state: 'right', verdict: FASTER })],
  [
    'a speed',
    'board',
    (record) =>
      with_(record, second, { verdict: { ...FASTER, ratio: { median: 9, low: 8, high: 10, pairs: 10 } } as never }),
  ],
  ['the places', 'ranking', (record) => ({ ...record, ranking: record.ranking.toReversed() })],
  ['the shares', 'shares', (record) => ({ ...record, shares: record.shares.map((one) => ({ ...one, share: 2_500 })) })],
  ['one that is left out', 'own', (record) => ({ ...record, submissions: record.submissions.slice(0, 2) })],
  ['the order of commitments', 'own', (record) => with_(record, second, { number: 1_000 })],
])('%s that was changed is found, though the server has signed it', async (_, name, make) => {
  const { verify, change } = await ended();
  await change(make);
  const found = await verify();
  expect(found.isRight).toBe(false);
  expect(wrongIn(found)).toContain(name);
});

it.each<[string, (board: Leaderboard) => Leaderboard]>([
  ['weighted speed', (board) => withPlace(board, { weighted: 9 })],
  ['tokens a second', (board) => withPlace(board, { tokensPerSecond: 1 })],
  ['share', (board) => withPlace(board, { share: 1 })],
  ['pot', (board) => ({ ...board, pot: 20_000 })],
  ['rest', (board) => ({ ...board, unclaimed: 0 })],
  ['length', (board) => ({ ...board, places: board.places.slice(0, 1) })],
])('a leader board with another %s than was signed is found', async (_, tell) => {
  const { server, verify } = await ended();
  server.tellBoard = tell;
  expect(wrongIn(await verify())).toEqual(['board']);
});

it('a record that is not signed as it is, or by another, is found', async () => {
  const { verify, change } = await ended();
  await change((record) => ({ ...record, missed: 7 }), { signsAgain: false });
  const { isRight, checks } = await verify();
  expect([isRight, checks[0]?.isRight]).toEqual([false, false]);
});

it('a record of a later round follows the one before, and begins with what that left over', async () => {
  const { server, verify, change } = await ended();
  await server.end();
  expect(wrongIn(await verify(undefined, 2))).toEqual([]);
  await change((record) => ({ ...record, carriedIn: 100 }), { round: 2 });
  expect(wrongIn(await verify(undefined, 2))).toContain('previous');
});

it('a record that was changed after the next one was signed is found', async () => {
  const { server, verify, change } = await ended();
  await server.end();
  await change((record) => ({ ...record, missed: 7 }));
  expect(wrongIn(await verify(undefined, 2))).toEqual(['previous']);
});

describe('of the round after', () => {
  /** In which Bob submits what is Alice’s. */
  async function after() {
    const made = await ended();
    const { id } = await made.bob.prepared('a kernel', 700_000);
    await made.bob.entries.submit(id, signal);
    made.server.block += 100;
    await made.bob.entries.reveal(id, signal);
    made.server.judge();
    await made.server.end();
    return made;
  }

  it('all is as it follows from the one before', async () => {
    const { server, verify } = await after();
    expect(server.records.get(2)?.record.submissions.map(({ state }) => state)).toEqual(['copied']);
    expect((await verify(undefined, 2)).isRight).toBe(true);
  });

  it('another baseline than the winner’s is found', async () => {
    const { verify, change } = await after();
    const slow = (record: RoundRecord) => record.baselines.map((one) => ({ ...one, sha256: 'c'.repeat(64) }));
    await change((record) => ({ ...record, baselines: slow(record) }), { round: 2 });
    expect(wrongIn(await verify(undefined, 2))).toContain('previous');
  });

  it('bytes that are said to be of whoever copied them are found', async () => {
    const { verify, change } = await after();
    const asOwn = (record: RoundRecord) => with_(record, 0, { state: 'right', verdict: FASTER });
    await change((record) => ({ ...asOwn(record), known: [] }), { round: 2 });
    expect(wrongIn(await verify(undefined, 2))).toContain('previous');
  });
});

it('judged again, what agrees is told and what does not is found; what could not be judged is not verified', async () => {
  const { verify } = await ended();
  expect((await verify(async () => FASTER)).isRight).toBe(true);
  const wrong: Judge = async (artefact) =>
    String(artefact) === 'a kernel' ? FASTER : { right: false, fault: 'numbers', reason: { key: 'nothing' } };
  const { isRight, checks } = await verify(wrong);
  expect([isRight, checks.at(-1)?.isRight]).toEqual([false, false]);
  const failed = await verify(async () => Promise.reject(new Error('no memory')));
  expect(failed.checks.at(-1)).toMatchObject({ isRight: false, text: expect.stringContaining('no memory') });
});

it('what beats the baseline in the record and not here is found', async () => {
  const { verify } = await ended();
  const slow = { ...FASTER, ratio: { median: 0.9, low: 0.85, high: 0.95, pairs: 10 } } as const;
  expect((await verify(async () => slow)).isRight).toBe(false);
  const slower = { ...FASTER, ratio: { median: 1.1, low: 1.05, high: 1.15, pairs: 10 } } as const;
  expect((await verify(async () => slower)).isRight).toBe(true); // another machine
});

it('judged again, a server that answers so often only is waited for, and a baseline is fetched once', async () => {
  const { server, verify } = await ended();
  const busy = { status: 429, code: 'RATE_LIMIT', retryAfter: 1 } as const;
  server.fail('GET /artefacts/:', busy, busy);
  expect((await verify(async () => FASTER)).isRight).toBe(true);
  expect(server.count('GET /artefacts/:')).toBe(2 + 2 + 1);
});

it('what cannot be judged on this machine is said to be so, and is no word against the round', async () => {
  const { verify } = await ended();
  const message = say('competition.closed.noCard');
  const judge = async () => Promise.reject(new QuarryError({ code: 'ENGINE_UNAVAILABLE', message }));
  const { isRight, checks } = await verify(judge);
  expect(checks.at(-1)).toMatchObject({ isRight: null, text: expect.stringContaining('no graphics card') });
  expect(isRight).toBe(true);
});

/** Of which checks something is not so: `board` for `competitor.check.board`. */
function wrongIn({ checks }: { checks: readonly RecordCheck[] }): (string | undefined)[] {
  const wrong = checks
    .filter(({ isRight }) => !isRight)
    .map(({ said }) => said?.text?.params?.check as { key: string });
  return wrong.map(({ key }) => key.split('.').at(-1));
}

function withBaseline(record: RoundRecord, change: Partial<RoundRecord['baselines'][number]>): RoundRecord {
  return { ...record, baselines: record.baselines.map((one, at) => (at === 3 ? { ...one, ...change } : one)) };
}

/** Nothing in the record itself contradicts that the second was before the first. */
function ownedBySecond(record: RoundRecord): RoundRecord {
  const [{ track, sha256 }, { hotkey }] = record.submissions as [Recorded, Recorded];
  const turned = with_(with_(record, 0, { state: 'copied', verdict: null }), 1, { state: 'right', verdict: FASTER });
  return { ...turned, known: [{ track, sha256, hotkey }] };
}

function with_(record: RoundRecord, at: number, change: Partial<RoundRecord['submissions'][number]>): RoundRecord {
  const submissions = record.submissions.map((one, index) => (index === at ? { ...one, ...change } : one));
  return { ...record, submissions };
}

function withPlace(board: Leaderboard, change: Partial<Leaderboard['places'][number]>): Leaderboard {
  return { ...board, places: board.places.map((one, at) => (at === 0 ? { ...one, ...change } : one)) };
}
