import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { EntryWatch } from '../../src-main/subnets/quasar/competition/client/entry-watch.ts';
import { verified } from '../../src-main/subnets/quasar/competition/client/verification.ts';
import type { VerificationStep } from '../../src-preload/contract/competition.ts';
import { testSigner } from '../support/bittensor-signer.ts';
import { openEntries } from '../support/competition-entries.ts';
import { startChild } from '../support/killed-child.ts';
import { memoryDatabase } from '../support/memory-database.ts';
import { BLOCK_MS, commit, HOUR_MS, openCompetition, reveal, scriptedJudge } from '../support/open-competition.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

const PROGRAM = resolve(import.meta.dirname, '../support/competitor-child.ts');
const { signal } = new AbortController();

async function place() {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

/** A real server whose clock starts at the real time and goes on as the test says. */
async function served() {
  const clock = { at: Date.now() };
  const here = await openCompetition(await place(), { now: () => clock.at });
  onTestFinished(() => here.close());
  return { ...here, clock };
}

it('a real server takes, reveals, judges and ranks what a node submits, and the record of the round is verified', async () => {
  const { competition, server, clock } = await served();
  const db = await memoryDatabase();
  onTestFinished(() => db.destroy());
  const alice = openEntries(db, await place(), competition.url, { now: () => clock.at });
  const { id } = await alice.prepared(JSON.stringify({ speed: 2 }), 300_000);
  expect(await alice.entries.submit(id, signal)).toMatchObject({ state: 'committed', receipt: { number: 1 } });
  await expect(alice.entries.reveal(id, signal)).rejects.toMatchObject({ code: 'OVERLOADED' });
  clock.at += 100 * BLOCK_MS;
  const watch = new EntryWatch({ ...alice, log: pino({ level: 'silent' }), everyMs: 50, soonMs: 50 });
  watch.open();
  onTestFinished(() => watch.close());
  await until(async () => expect((await alice.entries.list())[0]?.state).toBe('revealed'));
  clock.at += 48 * HOUR_MS;
  await until(async () => expect((await alice.entries.list())[0]?.isOver).toBe(true));
  expect((await alice.entries.list())[0]).toMatchObject({ state: 'right', place: 1, share: 6_000, error: null });
  const as = { server: server.address, signer: await testSigner('//Alice') };
  const asked = { client: alice.servers.client(), as, own: await alice.store.newest(10) };
  const steps: VerificationStep[] = [];
  for await (const step of verified({ ...asked, round: 1, judge: scriptedJudge }, signal)) steps.push(step);
  expect(steps.at(-1)).toMatchObject({ type: 'done', isRight: true });
  expect(steps).toContainEqual({ type: 'judging', done: 1, of: 1 });
});

it.each([
  ['before', 'POST /commitments'],
  ['after', 'POST /commitments'],
  ['before', 'POST /submissions/:/reveal'],
  ['after', 'POST /submissions/:/reveal'],
])('killed %s %s, a node goes on: committed once, revealed once', async (when, route) => {
  const { competition, clock } = await served();
  const folder = await place();
  const begun = clock.at;
  const start = (...standing: string[]) => {
    const child = startChild(PROGRAM, [folder, competition.url, String(clock.at), ...standing]);
    const lines: Record<string, string>[] = [];
    createInterface(child.stdout).on('line', (line) => void lines.push(JSON.parse(line)));
    return { child, lines };
  };
  if (route.includes('reveal')) {
    const first = start();
    await until(() => expect(first.lines).toContainEqual(expect.objectContaining({ state: 'committed' })));
    first.child.kill('SIGKILL');
    clock.at = begun + 100 * BLOCK_MS;
  }
  const { child, lines } = start(when, route);
  await until(() => expect(lines).toContainEqual(expect.objectContaining({ stands: when })));
  child.kill('SIGKILL');
  clock.at = begun + 100 * BLOCK_MS;
  const again = start();
  if (route.includes('commitments')) {
    await until(() => expect(again.lines).toContainEqual(expect.objectContaining({ state: 'committed' })));
    again.child.kill('SIGKILL');
    clock.at = begun + 200 * BLOCK_MS;
    const last = start();
    await until(() => expect(last.lines).toContainEqual(expect.objectContaining({ state: 'revealed' })));
  } else {
    await until(() => expect(again.lines).toContainEqual(expect.objectContaining({ state: 'revealed' })));
  }
  const submissions = await competition.submissions(1);
  expect(submissions.map(({ state, number }) => [state, number])).toEqual([['revealed', 1]]);
});

it('what another hotkey committed to before is told to be copied', async () => {
  const { competition, clock, ask } = await served();
  const db = await memoryDatabase();
  onTestFinished(() => db.destroy());
  const bob = await testSigner('//Bob');
  const { secret } = await commit(ask, bob, { speed: 2 });
  const alice = openEntries(db, await place(), competition.url, { now: () => clock.at });
  const { id } = await alice.prepared(JSON.stringify({ speed: 2 }), 300_000);
  await alice.entries.submit(id, signal);
  clock.at += 100 * BLOCK_MS;
  expect((await reveal(ask, bob, secret)).status).toBe(200);
  await alice.entries.reveal(id, signal);
  clock.at += 48 * HOUR_MS;
  await until(async () => {
    await alice.entries.look(id, signal);
    expect((await alice.entries.list())[0]?.isOver).toBe(true);
  });
  expect((await alice.entries.list())[0]).toMatchObject({ state: 'copied', place: null, share: 0 });
});
