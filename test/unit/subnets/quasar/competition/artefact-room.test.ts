import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ResultsDb } from '../../../../../src-main/store/results/results-db.ts';
import { ArtefactFiles } from '../../../../../src-main/subnets/quasar/competition/server/artefact-files.ts';
import { makeRoom } from '../../../../../src-main/subnets/quasar/competition/server/artefact-room.ts';
import { FACTS, idOf, roundRow, submission } from '../../../../support/competition-rows.ts';

const BYTES = 100;
let folder: string;
let results: ResultsDb;
let files: ArtefactFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-artefact-room-'));
  results = new ResultsDb({ dataDir: folder });
  await results.open();
  files = new ArtefactFiles(join(folder, 'competition'));
  await files.open();
});
afterEach(async () => {
  await results.close();
  await rm(folder, { recursive: true, force: true });
});

/** Rounds 1 to 4 that have ended, and an open one, each with an artefact of its own; that of round 2 is what round 3 was measured against. @returns their hashes */
async function fiveRounds(): Promise<string[]> {
  const { rounds, submissions } = results.competition('server');
  const hashes: string[] = [];
  await rounds.begin(roundRow(1));
  for (const number of [1, 2, 3, 4, 5]) {
    const hash = await files.keep(Buffer.alloc(BYTES, number));
    await utimes(join(folder, 'competition', `${hash}.bin`), number, number);
    hashes.push(hash);
    await submissions.add(submission(number, { round: number, counts_in: number }));
    await submissions.reveal(idOf(number), { ...FACTS, sha256: hash, bytes: BYTES });
    if (number === 5) break;
    await rounds.close(number, { closedAt: 9, block: 300, next: roundRow(number + 1) });
    const baselines = number === 2 ? JSON.stringify([{ sha256: hash }]) : '[]';
    const ended = { endedAt: 10, record: '{}', signature: 's', placed: [] };
    await rounds.end(number, ended, { baselines, carried: 0 });
  }
  return hashes;
}

const present = async (hashes: readonly string[]) => Promise.all(hashes.map((hash) => files.has(hash)));
const room = (bytes: number, most: number) => makeRoom(bytes, { files, store: results.competition('server'), most });

it('artefacts stay while there is room', async () => {
  const hashes = await fiveRounds();
  expect(await room(BYTES, 6 * BYTES)).toBe(true);
  expect(await present(hashes)).toEqual([true, true, true, true, true]);
});

it('those of rounds long ago make room for new ones, but for what something was measured against', async () => {
  const hashes = await fiveRounds();
  expect(await room(BYTES, 5 * BYTES)).toBe(true);
  expect(await present(hashes)).toEqual([false, true, true, true, true]);
  expect(files.bytes).toBe(4 * BYTES);
});

it('those of the last two rounds that have ended, and of the open one, stay whatever is wanted', async () => {
  const hashes = await fiveRounds();
  expect(await room(3 * BYTES, 5 * BYTES)).toBe(false);
  expect(await present(hashes)).toEqual([false, true, true, true, true]);
});

it('an artefact that came again is as young as its last round', async () => {
  const hashes = await fiveRounds();
  const { submissions } = results.competition('server');
  await submissions.add(submission(6, { round: 5, counts_in: 5 }));
  await submissions.reveal(idOf(6), { ...FACTS, sha256: hashes[0] ?? '', bytes: BYTES });
  expect(await room(BYTES, 5 * BYTES)).toBe(false);
  expect(await present(hashes)).toEqual([true, true, true, true, true]);
});
