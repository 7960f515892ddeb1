import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { recordHash } from '../../src-main/subnets/quasar/competition/rules/record.ts';
import { checkRecord } from '../../src-main/subnets/quasar/competition/verifying/verify-round.ts';
import { startChild } from '../support/killed-child.ts';
import { HOUR_MS, openCompetition } from '../support/open-competition.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { ROUNDS } from '../support/rounds.ts';

const PROGRAM = resolve(import.meta.dirname, '../support/competition-busy-child.ts');

interface Told {
  committed: { id: string; number: number }[];
  revealed: string[];
  ended: Set<number>;
  at: number;
}

it('a competition that is killed at any moment has all that it said, and records that follow each other', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const told: Told = { committed: [], revealed: [], ended: new Set(), at: Date.UTC(2026, 10, 29) };
  for (let round = 0; round < 3 * ROUNDS; round++) {
    await killed(folder.path, told);
    const here = await openCompetition(folder.path, { now: () => told.at, lookMs: 60_000 });
    await here.competition.judged();
    const { submissions, rounds } = here.store;
    for (const { id, number } of told.committed) expect(await submissions.get(id)).toMatchObject({ number });
    for (const id of told.revealed) expect((await submissions.get(id))?.state).toMatch(/revealed|right/);
    for (const number of told.ended) expect(await rounds.get(number)).toMatchObject({ state: 'ended' });
    await followEachOther(here);
    await here.close();
  }
  expect(told.ended.size).toBeGreaterThan(0);
});

/** All records are right, and each names the one before. */
async function followEachOther({ competition, server }: Awaited<ReturnType<typeof openCompetition>>): Promise<void> {
  const { rounds } = await competition.rounds();
  expect(rounds.filter(({ state }) => state === 'open')).toHaveLength(1);
  const ended = rounds.filter(({ state }) => state === 'ended').reverse();
  let previous: string | undefined;
  for (const { round, seedSha256 } of ended) {
    const signed = await competition.record(round);
    const known = { server: server.address, seedSha256, ...(previous !== undefined && { previous }) };
    expect(await checkRecord(signed, known)).toEqual([]);
    previous = recordHash(signed.record);
  }
}

/** Kills it a moment after a round has ended. */
async function killed(folder: string, told: Told): Promise<void> {
  told.at += HOUR_MS;
  const child = startChild(PROGRAM, [folder, String(told.at)]);
  const lines = createInterface({ input: child.stdout });
  const before = told.ended.size;
  const begun = Promise.withResolvers<void>();
  lines.on('line', (line) => {
    const { committed, number, revealed, ended, at } = JSON.parse(line);
    if (committed) told.committed.push({ id: committed, number });
    if (revealed) told.revealed.push(revealed);
    if (ended) told.ended.add(ended);
    told.at = Math.max(told.at, at);
    if (told.ended.size > before) begun.resolve();
  });
  const read = once(lines, 'close');
  await Promise.race([begun.promise, read]);
  await sleep(Math.random() * 200);
  child.kill('SIGKILL');
  await read;
}
