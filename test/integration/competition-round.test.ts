import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sha256 } from '../../src-main/base/sha256.ts';
import { verify } from '../../src-main/bittensor/sr25519.ts';
import { commitmentOf } from '../../src-main/subnets/quasar/competition/rules/commitment.ts';
import { receiptBytes, recordHash } from '../../src-main/subnets/quasar/competition/rules/record.ts';
import { judgeAgain } from '../../src-main/subnets/quasar/competition/verifying/judge-again.ts';
import { checkRecord } from '../../src-main/subnets/quasar/competition/verifying/verify-round.ts';
import {
  leaderboardSchema,
  type RoundRecord,
  type SignedRecord,
  signedRecordSchema,
  verificationStatsSchema,
  weightsSchema,
} from '../../src-main/subnets/quasar/competition/wire.ts';
import { testSigner } from '../support/bittensor-signer.ts';
import { commitAll, ENTRIES, type Miner, RANKED, revealAll } from '../support/competition-miners.ts';
import { startChild } from '../support/killed-child.ts';
import {
  BASELINE,
  BLOCK_MS,
  commit,
  HOUR_MS,
  openCompetition,
  reveal,
  rightVerdict,
  scriptedJudge,
  TERMS,
} from '../support/open-competition.ts';
import { HAS_POSTGRES, startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

const PROGRAM = resolve(import.meta.dirname, '../support/competition-child.ts');

async function place() {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

/** A round in which everybody has revealed, at its end. The competition is closed. */
async function closedRound() {
  const dataDir = await place();
  const here = await openCompetition(dataDir);
  const { body: opened } = await here.ask(undefined, 'GET /rounds/current');
  const miners = await commitAll(here.ask, 1);
  here.clock.at += 100 * BLOCK_MS;
  await revealAll(here.ask, miners);
  await here.close();
  return { dataDir, miners, opened, end: here.clock.at + 48 * HOUR_MS };
}

const namesOf = (ids: readonly string[], miners: readonly Miner[]) =>
  ids.map((id) => miners.find(({ secret }) => secret.id === id)?.name);

/** Judges until it is at one of so many, and is killed amid it. @returns what it has begun */
async function killed(dataDir: string, at: number, after: number): Promise<string[]> {
  const child = startChild(PROGRAM, [dataDir, String(at), String(after)]);
  const lines = createInterface({ input: child.stdout });
  const begun: string[] = [];
  lines.on('line', (line) => {
    const { judging, seed } = JSON.parse(line);
    begun.push(`${seed} ${judging}`);
    if (begun.length === after) child.kill('SIGKILL');
  });
  await once(lines, 'close');
  return begun;
}

describe('a round', () => {
  it('that is killed amid its judging, again and again, comes to the right ranking and shares, and judges each once', async () => {
    const { dataDir, miners, opened, end } = await closedRound();
    const begun: string[] = [];
    for (const after of [1, 3, 2]) begun.push(...(await killed(dataDir, end, after)));
    const after: string[] = [];
    const here = await openCompetition(dataDir, {
      now: () => end,
      judge: (artefact, options) => {
        after.push(`${options.seed} ${Buffer.from(artefact).toString('utf8')}`);
        return scriptedJudge(artefact, options);
      },
    });
    onTestFinished(() => here.close());
    await until(async () => expect((await here.competition.rounds()).rounds.at(-1)?.state).toBe('ended'));
    // Ten are judged, not the thief; what was under way when it was killed is begun again, and nothing else is.
    const all = [...begun, ...after];
    expect(new Set(all).size).toBe(10);
    expect(all.length).toBeLessThanOrEqual(10 + 3);

    const { body } = await here.ask(undefined, 'GET /rounds/1/leaderboard');
    const { places, unclaimed } = leaderboardSchema.parse(body);
    expect(
      namesOf(
        places.map(({ submission }) => submission),
        miners,
      ),
    ).toEqual(RANKED);
    expect(places.map(({ share }) => share)).toEqual([6_000, 2_500, 1_000, 500, 0, 0, 0]);
    expect(unclaimed).toBe(0);
    const reader = await testSigner('//reader');
    const stats = verificationStatsSchema.parse((await here.ask(reader, 'GET /rounds/1/verification')).body);
    expect(stats).toMatchObject({
      judged: 10,
      right: 8,
      faster: 7,
      faults: { wrong: 1, died: 1 },
      submissions: { copied: 1 },
    });
    const weights = weightsSchema.parse((await here.ask(here.server, 'GET /weights')).body);
    expect(weights.weights.map(({ weight }) => weight)).toEqual([0.6, 0.25, 0.1, 0.05]);

    // The thief’s own view says why.
    const thief = miners.find(({ name }) => name === 'thief') as Miner;
    expect((await here.ask(thief.signer, `GET /submissions/${thief.secret.id}`)).body).toMatchObject({
      ...{ state: 'copied', place: null, reason: expect.stringMatching(/Another hotkey had committed/) },
    });

    // Anybody verifies it, with what the server gives, a key and a judge of his own.
    const record = signedRecordSchema.parse((await here.ask(reader, 'GET /rounds/1/record')).body);
    const known = { server: here.server.address, seedSha256: opened.seedSha256 };
    expect(await checkRecord(record, known)).toEqual([]);
    let asked = 0;
    const artefact = async (hash: string): Promise<Buffer | undefined> => {
      const from = { ip: `198.51.100.${++asked}` };
      const key = await testSigner(`//reader${asked}`);
      const said = await here.ask(key, `GET /artefacts/${hash}`, undefined, from);
      return said.status === 200 ? said.body : undefined;
    };
    const again = await judgeAgain(record.record, { judge: scriptedJudge, artefact });
    expect(again.map(({ outcome }) => outcome)).toEqual(Array(10).fill('same'));

    // The fastest is what the next round is measured against, in all leagues.
    const { body: next } = await here.ask(undefined, 'GET /rounds/current');
    const won = next.baselines.filter((one: { submission: string | null }) => one.submission !== null);
    expect(
      namesOf(
        won.map((one: { submission: string }) => one.submission),
        miners,
      ),
    ).toEqual(Array(10).fill('fay'));
  });

  it('is the same in another data folder', async () => {
    const rounds = await Promise.all([closedRound(), closedRound()]);
    const rankings = [];
    for (const { dataDir, miners, end } of rounds) {
      const here = await openCompetition(dataDir, { now: () => end });
      await until(async () => expect((await here.competition.rounds()).rounds.at(-1)?.state).toBe('ended'));
      const { record } = await here.competition.record(1);
      rankings.push([namesOf(record.ranking, miners), record.shares.map(({ share }) => share)]);
      await here.close();
    }
    expect(rankings[0]).toEqual(rankings[1]);
  });

  it.skipIf(!HAS_POSTGRES)('is the same on PostgreSQL', async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.close());
    const dataDir = await place();
    const here = await openCompetition(dataDir, { url: postgres.url() });
    const miners = await commitAll(here.ask, 1);
    here.clock.at += 100 * BLOCK_MS;
    await revealAll(here.ask, miners);
    here.clock.at += 48 * HOUR_MS;
    await until(async () => expect((await here.competition.rounds()).rounds.at(-1)?.state).toBe('ended'));
    const signed = await here.competition.record(1);
    expect(namesOf(signed.record.ranking, miners)).toEqual(RANKED);
    expect(await checkRecord(signed, { server: here.server.address })).toEqual([]);
    await here.close();
  });

  it('takes what could not be revealed before its end into the next, and drops what could', async () => {
    const dataDir = await place();
    const here = await openCompetition(dataDir);
    onTestFinished(() => here.close());
    const [ann, bob] = (await Promise.all(['//ann', '//bob'].map(testSigner))) as [Miner['signer'], Miner['signer']];
    const { secret: missed } = await commit(here.ask, bob, { speed: 3 });
    here.clock.at += 48 * HOUR_MS - 99 * BLOCK_MS;
    const { said, secret } = await commit(here.ask, ann, { speed: 2 });
    expect(said.body).toMatchObject({ round: 1, countsIn: 2 });
    here.clock.at += 99 * BLOCK_MS;
    await here.competition.judged();
    here.clock.at += BLOCK_MS;
    expect(await reveal(here.ask, bob, missed)).toMatchObject({
      status: 409,
      body: { error: { message: 'Its round has closed.' } },
    });
    expect((await reveal(here.ask, ann, secret)).body).toMatchObject({ state: 'revealed', round: 1, countsIn: 2 });
    here.clock.at += 48 * HOUR_MS;
    await here.competition.judged();
    await here.competition.judged();
    const { record } = await here.competition.record(2);
    expect(record.ranking).toEqual([secret.id]);
    const first = await here.competition.record(1);
    expect(first.record).toMatchObject({ missed: 1, ranking: [], submissions: [] });
    expect(record.previous).toBe(recordHash(first.record));
    expect(await checkRecord(await here.competition.record(2), { server: here.server.address })).toEqual([]);
  });

  it('knows artefacts of earlier rounds: whoever had one first may enter it again, and nobody else', async () => {
    const here = await openCompetition(await place());
    onTestFinished(() => here.close());
    const [ann, bob] = (await Promise.all(['//ann', '//bob'].map(testSigner))) as [Miner['signer'], Miner['signer']];
    const play = async (round: number, players: readonly Miner['signer'][]) => {
      const made = [];
      for (const who of players) made.push(await commit(here.ask, who, { speed: 2 }, { round }));
      here.clock.at += 100 * BLOCK_MS;
      for (const [at, { secret }] of made.entries()) await reveal(here.ask, players[at]!, secret);
      here.clock.at += 48 * HOUR_MS;
      await here.competition.judged();
      await here.competition.judged();
      const signed = await here.competition.record(round);
      expect(await checkRecord(signed, { server: here.server.address })).toEqual([]);
      return signed.record.submissions.map(({ hotkey, state }) => [hotkey, state]);
    };
    expect(await play(1, [ann])).toEqual([[ann.address, 'right']]);
    expect(await play(2, [bob, ann])).toEqual([
      [bob.address, 'copied'],
      [ann.address, 'right'],
    ]);
  });

  it('of which something fails for reasons of ours waits, and gives nobody a zero', async () => {
    const dataDir = await place();
    let isBroken = true;
    const here = await openCompetition(dataDir, {
      judge: (artefact, options) => {
        if (isBroken) return Promise.reject(new Error('No memory.'));
        return scriptedJudge(artefact, options);
      },
    });
    onTestFinished(() => here.close());
    const ann = await testSigner('//ann');
    const { secret } = await commit(here.ask, ann, { speed: 2 });
    here.clock.at += 100 * BLOCK_MS;
    await reveal(here.ask, ann, secret);
    here.clock.at += 48 * HOUR_MS;
    await here.competition.judged();
    const view = await here.ask(ann, `GET /submissions/${secret.id}`);
    expect(view.body).toMatchObject({ state: 'revealed', verdict: null, reason: expect.stringMatching(/tried again/) });
    expect((await here.competition.rounds()).rounds.map(({ state }) => state)).toEqual(['open', 'judging']);
    isBroken = false;
    await here.competition.judged(); // it is not time yet
    expect((await here.store.submissions.get(secret.id))?.state).toBe('revealed');
    here.clock.at += 10_000;
    await here.competition.judged();
    expect((await here.competition.record(1)).record.ranking).toEqual([secret.id]);
  });

  it('carries what nobody has won where that is set, and is extended, ended and judged again by who runs it alone', async () => {
    const dataDir = await place();
    const waits = Promise.withResolvers<void>();
    let speed = 2;
    const here = await openCompetition(dataDir, {
      terms: { ...TERMS, unclaimed: 'carried' },
      judge: async (artefact) => {
        const { last } = JSON.parse(Buffer.from(artefact).toString('utf8'));
        if (last) await waits.promise;
        return rightVerdict(speed);
      },
    });
    onTestFinished(() => here.close());
    const [ann, bob] = (await Promise.all(['//ann', '//bob'].map(testSigner))) as [Miner['signer'], Miner['signer']];
    const { secret } = await commit(here.ask, ann, { by: 'ann' });
    const { secret: last } = await commit(here.ask, bob, { last: true });
    here.clock.at += 100 * BLOCK_MS;
    await reveal(here.ask, ann, secret);
    await reveal(here.ask, bob, last);
    const { body } = await here.ask(here.server, 'POST /rounds/1/extend', { hours: 2 });
    expect(body.endsAt).toBe(Date.UTC(2026, 10, 29) + 50 * HOUR_MS);
    expect((await here.ask(here.server, 'POST /rounds/1/end', {})).body).toMatchObject({ round: 2, state: 'open' });
    await until(async () => expect((await here.store.submissions.get(secret.id))?.state).toBe('right'));
    speed = 3;
    expect((await here.ask(here.server, `POST /submissions/${secret.id}/judge`, {})).body.state).toBe('revealed');
    waits.resolve();
    await until(async () => expect((await here.competition.rounds()).rounds.at(-1)?.state).toBe('ended'));
    expect(await here.store.submissions.verdicts(secret.id)).toBe(2);
    const { record } = await here.competition.record(1);
    expect(record.shares.map(({ share }) => share)).toEqual([6_000, 2_500]);
    expect(record.interventions.map(({ what }) => what)).toEqual([
      'extended by 2 hours',
      expect.stringMatching(/closed before its time/),
      expect.stringMatching(/judged again/),
    ]);
    expect((await here.ask(here.server, `POST /submissions/${secret.id}/judge`, {})).status).toBe(409);
    expect((await here.competition.leaderboard(2)).pot).toBe(11_500);
  });
});

describe('a record', () => {
  /** One of a round with two that were ranked, and a thief. */
  async function recorded(): Promise<{ record: SignedRecord; server: string }> {
    const { dataDir, end } = await closedRound();
    const here = await openCompetition(dataDir, { now: () => end });
    await until(async () => expect((await here.competition.rounds()).rounds.at(-1)?.state).toBe('ended'));
    const record = await here.competition.record(1);
    await here.close();
    return { record, server: here.server.address };
  }

  it('that was changed, or is a lie, is found out', async () => {
    const { record, server } = await recorded();
    const whatOf = async (change: (record: RoundRecord) => void, known: object = {}) => {
      const changed = structuredClone(record);
      change(changed.record);
      const found = await checkRecord(changed, { server, ...known });
      return [...new Set(found.map(({ what }) => what))];
    };
    const of = (changed: RoundRecord, state: string) => changed.submissions.find((one) => one.state === state)!;
    expect(await whatOf(() => {})).toEqual([]);
    expect(await whatOf(() => {}, { seedSha256: 'a'.repeat(64) })).toEqual(['seed']);
    expect(await whatOf(() => {}, { previous: 'a'.repeat(64) })).toEqual(['previous']);
    expect(await whatOf(() => {}, { server: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty' })).toContain(
      'signature',
    );
    expect(await whatOf((one) => (one.seed = 'b'.repeat(64)))).toEqual(['signature', 'seed']);
    expect(await whatOf((one) => (of(one, 'right').tokens = 999_999))).toContain('commitment');
    expect(await whatOf((one) => one.ranking.reverse())).toEqual(['signature', 'ranking']);
    expect(await whatOf((one) => (one.shares[0]!.share = 9_999))).toEqual(['signature', 'shares']);
    expect(await whatOf((one) => (of(one, 'wrong').state = 'right'))).toContain('verdict');
    expect(await whatOf((one) => one.submissions.reverse())).toContain('order');
    expect(
      await whatOf((one) => {
        const thief = of(one, 'copied');
        thief.state = 'right';
        thief.verdict = rightVerdict(9);
      }),
    ).toEqual(['signature', 'copy', 'ranking', 'shares']);
    expect(await whatOf((one) => (of(one, 'right').revealedBlock = 3))).toContain('time');
    expect(await checkRecord({ record: {}, signature: '' }, { server })).toMatchObject([{ what: 'shape' }]);
  });

  it('is told apart by whoever judges again: another word is a contradiction, another speed is not', async () => {
    const { record } = await recorded();
    const bytes = new Map<string, Buffer>();
    const judged = (judge: typeof scriptedJudge) =>
      judgeAgain(record.record, { judge, artefact: async (hash) => bytes.get(hash) });
    expect((await judged(scriptedJudge)).every(({ outcome }) => outcome === 'notJudged')).toBe(true);
    const artefacts = ENTRIES.map(({ script }) =>
      Buffer.from(typeof script === 'string' ? script : JSON.stringify(script)),
    );
    for (const artefact of [BASELINE, ...artefacts]) bytes.set(sha256(artefact).toString('hex'), artefact);
    const outcomes = (again: Awaited<ReturnType<typeof judged>>) => again.map(({ outcome }) => outcome);
    const faster = await judged(async (artefact, options) => {
      const verdict = await scriptedJudge(artefact, options);
      return verdict.right ? rightVerdict(verdict.ratio.median * 1.5) : verdict;
    });
    // Of one the record says that it does not beat the baseline, which it does here.
    const asFarAs = [...Array(3).fill('differs'), 'contradicts', ...Array(4).fill('differs')];
    expect(outcomes(faster)).toEqual([...asFarAs, 'same', 'same']);
    const near = await judged(async (artefact, options) => {
      const verdict = await scriptedJudge(artefact, options);
      return verdict.right ? rightVerdict(verdict.ratio.median * 1.04) : verdict;
    });
    expect(outcomes(near)).toEqual(Array(10).fill('same'));
    const all = await judged(async () => rightVerdict(1));
    expect(outcomes(all).slice(8)).toEqual(['contradicts', 'contradicts']);
    expect(outcomes(await judged(() => Promise.reject(new Error('No memory.'))))).toEqual(Array(10).fill('notJudged'));
  });
});

it('a receipt shows when a miner committed to what', async () => {
  const here = await openCompetition(await place());
  onTestFinished(() => here.close());
  const ann = await testSigner('//ann');
  const { said, secret } = await commit(here.ask, ann, { speed: 2 });
  const { commitment, number, committedBlock: block, committedAt: at } = said.body;
  const hash = sha256(secret.artefact).toString('hex');
  expect(commitment).toBe(commitmentOf({ ...secret, hotkey: ann.address, sha256: hash }));
  const bytes = receiptBytes({
    server: here.server.address,
    hotkey: ann.address,
    commitment,
    track: 'kernel',
    number,
    block,
    at,
  });
  expect(verify(bytes, Buffer.from(said.body.receipt, 'hex'), here.server.publicKey)).toBe(true);
});
