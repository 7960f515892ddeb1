import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sha256 } from '../../../../../../src-main/base/sha256.ts';
import { openEntries } from '../../../../../support/competition-entries.ts';
import { memoryDatabase } from '../../../../../support/memory-database.ts';
import { temporaryFolder } from '../../../../../support/quarry-process.ts';
import { BASELINE, SmallCompetition } from '../../../../../support/small-competition.ts';

const { signal } = new AbortController();
const BASELINE_HASH = sha256(BASELINE).toString('hex');

async function world() {
  const server = await SmallCompetition.open();
  const db = await memoryDatabase();
  const folder = await temporaryFolder();
  onTestFinished(async () => {
    await server.close();
    await db.destroy();
    await folder.remove();
  });
  return { server, db, folder: folder.path, ...openEntries(db, folder.path, server.url) };
}

it('a submission goes from the file to a place: commit, reveal, judged, ranked', async () => {
  const { server, entries, prepared } = await world();
  const kept = await prepared('a kernel', 300_000);
  expect(kept).toMatchObject({ state: 'kept', round: 1, receipt: null });
  expect(server.count('POST /commitments')).toBe(0);
  const committed = await entries.submit(kept.id, signal);
  expect(committed).toMatchObject({
    state: 'committed',
    receipt: { number: 1, block: 1_000 },
    reveal: { blocksLeft: 100 },
  });
  await expect(entries.reveal(kept.id, signal)).rejects.toMatchObject({ code: 'OVERLOADED' });
  server.block += 100;
  expect(await entries.reveal(kept.id, signal)).toMatchObject({ state: 'revealed', error: null });
  server.judge();
  await entries.look(kept.id, signal);
  expect((await entries.list())[0]).toMatchObject({
    state: 'right',
    isOver: false,
    measured: { ratio: { median: 1.5 } },
  });
  await server.end();
  await entries.look(kept.id, signal);
  expect((await entries.list())[0]).toMatchObject({ isOver: true, place: 1, share: 6_000, missing: [] });
});

it('a repository is committed to and revealed in its own track, and it is said that it has to be open then', async () => {
  const { server, artefacts, entries } = await world();
  const bytes = Buffer.from('{"commit":"…"}');
  const hash = sha256(bytes).toString('hex');
  await artefacts.put(hash, bytes);
  const wish = { sha256: hash, name: 'fork', tokens: 100_000, track: 'gpu' as const };
  const { entry, published } = await entries.prepare(wish, signal);
  expect(published.map(({ text }) => text).join()).toContain('repository');
  await entries.submit(entry.id, signal);
  server.block += 100;
  expect(await entries.reveal(entry.id, signal)).toMatchObject({ state: 'revealed', track: 'gpu' });
});

it('what was sent and not answered is found again, and committed once', async () => {
  const { server, entries, prepared } = await world();
  const { id } = await prepared('a kernel');
  server.fail('POST /commitments', { after: 'cut' });
  await expect(entries.submit(id, signal)).rejects.toMatchObject({ code: 'DEADLINE', retryable: true });
  expect((await entries.list())[0]).toMatchObject({ state: 'sending', error: { code: 'DEADLINE' } });
  expect(await entries.submit(id, signal)).toMatchObject({ state: 'committed', receipt: { number: 1 } });
  expect(server.submissions.size).toBe(1);
});

it('it is found, too, where its round has ended meanwhile; one that never came is refused then', async () => {
  const { server, entries, prepared } = await world();
  const [came, lost] = [await prepared('one'), await prepared('other')];
  server.fail('POST /commitments', { after: 'cut' }, 'cut');
  await expect(entries.submit(came.id, signal)).rejects.toThrow();
  await expect(entries.submit(lost.id, signal)).rejects.toThrow();
  server.block += 1;
  await server.end();
  await entries.commit(came.id, signal);
  await expect(entries.commit(lost.id, signal)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const states = (await entries.list()).map(({ id, state, isOver }) => [id, state, isOver]);
  expect(states).toEqual(
    expect.arrayContaining([
      [came.id, 'committed', false],
      [lost.id, 'refused', true],
    ]),
  );
});

it('where the round has ended since it was prepared, nothing is sent', async () => {
  const { server, entries, prepared } = await world();
  const { id } = await prepared('a kernel');
  await server.end();
  await expect(entries.submit(id, signal)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'id' });
  expect([server.count('POST /commitments'), (await entries.list())[0]?.state]).toEqual([0, 'kept']);
});

it('a reveal that was not answered is found again', async () => {
  const { server, entries, prepared } = await world();
  const { id } = await prepared('a kernel');
  await entries.submit(id, signal);
  server.block += 100;
  server.fail('POST /submissions/:/reveal', { after: 'cut' });
  await expect(entries.reveal(id, signal)).rejects.toMatchObject({ code: 'DEADLINE' });
  expect(await entries.reveal(id, signal)).toMatchObject({ state: 'revealed' });
});

it('a file that was changed is not revealed: it would count against this address', async () => {
  const { server, entries, prepared, folder } = await world();
  const { id, sha256: hash } = await prepared('a kernel');
  await entries.submit(id, signal);
  server.block += 100;
  await writeFile(join(folder, 'submissions', hash), 'another kernel');
  await expect(entries.reveal(id, signal)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(server.count('POST /submissions/:/reveal')).toBe(0);
});

it('what is not over is not forgotten; what is takes its file along, unless another needs it', async () => {
  const { server, entries, prepared, folder, artefacts } = await world();
  const [one, other] = [await prepared('a kernel'), await prepared('a kernel', 200_000)];
  await entries.submit(one.id, signal);
  await expect(entries.forget(one.id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await entries.forget(other.id);
  expect(await artefacts.read(one.sha256)).toBeDefined();
  server.block += 100;
  await server.end();
  await entries.look(one.id, signal);
  expect((await entries.list())[0]).toMatchObject({ state: 'missed', isOver: true });
  await entries.forget(one.id);
  expect(await readdir(join(folder, 'submissions'))).toEqual([]);
});

it.each([
  [
    'a receipt of another key',
    async (server: SmallCompetition) => {
      const forged = await SmallCompetition.open('//Mallory');
      const receipt = await forged.sign(randomBytes(32));
      await forged.close();
      server.tell = (view) => ({ ...view, receipt });
    },
  ],
  [
    'another number than was signed',
    async (server: SmallCompetition) => {
      server.tell = (view) => ({ ...view, number: view.number + 1 });
    },
  ],
  [
    'another submission',
    async (server: SmallCompetition) => {
      server.tell = (view) => ({ ...view, id: '0'.repeat(32) });
    },
  ],
])('%s is not believed', async (_, lie) => {
  const { server, entries, prepared } = await world();
  const { id } = await prepared('a kernel');
  await lie(server);
  await expect(entries.submit(id, signal)).rejects.toMatchObject({ code: 'PROTOCOL' });
  expect((await entries.list())[0]).toMatchObject({ state: 'sending', receipt: null, error: { code: 'PROTOCOL' } });
});

it('a receipt that was signed anew for a later place is refused, and the first one kept', async () => {
  const { server, entries, prepared } = await world();
  const [one, other] = [await prepared('one'), await prepared('other')];
  await entries.submit(one.id, signal);
  await entries.submit(other.id, signal);
  const { view } = server.submissions.get(one.id) ?? {};
  const later = await SmallCompetition.open();
  onTestFinished(() => later.close());
  const { receiptBytes } = await import('../../../../../../src-main/subnets/quasar/competition/rules/record.ts');
  const about = { server: server.key, hotkey: one.hotkey, commitment: one.commitment, track: 'kernel' };
  const moved = { number: 9, block: 1_001, at: (view?.committedAt ?? 0) + 1 };
  const receipt = await later.sign(receiptBytes({ ...about, ...moved }));
  server.tell = (told) => ({ ...told, number: 9, committedBlock: 1_001, committedAt: moved.at, receipt });
  await expect(entries.look(one.id, signal)).rejects.toMatchObject({ code: 'PROTOCOL' });
  expect((await entries.list()).find(({ id }) => id === one.id)?.receipt).toMatchObject({ number: 1, block: 1_000 });
});

it('another key than the one that is set is not spoken with', async () => {
  const { server, db, folder } = await world();
  const pinned = openEntries(db, folder, server.url, { key: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty' });
  await expect(pinned.prepared('a kernel')).rejects.toMatchObject({ code: 'PROTOCOL' });
});

it('a file comes in pieces; other bytes than were announced are refused', async () => {
  const { artefacts } = await world();
  const file = randomBytes(1_000);
  const whole = { sha256: sha256(file).toString('hex'), bytes: file.length };
  expect(await artefacts.bring({ ...whole, from: 0, piece: file.subarray(0, 600) })).toBe(600);
  expect(await artefacts.bring({ ...whole, from: 500, piece: file.subarray(500) })).toBe(600);
  expect(await artefacts.bring({ ...whole, from: 600, piece: file.subarray(600) })).toBe(1_000);
  expect(await artefacts.read(whole.sha256)).toEqual(file);
  const piece = randomBytes(1_000);
  await expect(artefacts.bring({ ...whole, sha256: '0'.repeat(64), from: 0, piece })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});

it('all are asked about at once, and nothing is revealed by that', async () => {
  const { server, entries, prepared } = await world();
  const [one, other] = [await prepared('one'), await prepared('other')];
  for (const { id } of [one, other]) await entries.submit(id, signal);
  server.block += 100;
  await entries.reveal(one.id, signal);
  server.judge();
  await entries.lookAtAll(signal);
  expect(server.count('POST /submissions/:/reveal')).toBe(1);
  const states = (await entries.list()).map(({ id, state }) => [id, state]);
  expect(Object.fromEntries(states)).toEqual({ [one.id]: 'right', [other.id]: 'committed' });
});

it('a server that does not answer is asked about one of them, and what is known of the others stays', async () => {
  const { server, entries, prepared } = await world();
  for (const text of ['one', 'other']) await entries.submit((await prepared(text)).id, signal);
  server.fail('GET /submissions/:', 'cut', 'cut');
  await entries.lookAtAll(signal);
  expect(server.count('GET /submissions/:')).toBe(1);
  expect((await entries.list()).filter(({ error }) => error?.code === 'DEADLINE')).toHaveLength(1);
});

it('warns of what would be worth nothing: the same bytes again, and under another hotkey', async () => {
  const { server, db, folder, entries, artefacts, prepared } = await world();
  const { id, sha256: hash } = await prepared('a kernel', 100_000);
  const warned = async (tokens: number, from = entries) => {
    const { warnings } = await from.prepare({ sha256: hash, name: 'kernel.wasm', tokens, track: 'kernel' }, signal);
    return warnings.map(({ said }) => said?.text?.key);
  };
  expect(await warned(100_000)).toEqual([]); // what was prepared alone is nowhere yet
  await entries.submit(id, signal);
  expect(await warned(150_000)).toEqual(['competitor.draft.repeated']);
  expect(await warned(200_000)).toEqual([]);
  const other = openEntries(db, folder, server.url, { uri: '//Bob' });
  expect(await warned(200_000, other.entries)).toEqual(['competitor.draft.copied']);
  await artefacts.put(BASELINE_HASH, BASELINE);
  const wish = { sha256: BASELINE_HASH, name: 'baseline.wasm', tokens: 100_000, track: 'kernel' as const };
  expect((await entries.prepare(wish, signal)).warnings[0]?.said?.text?.key).toBe('competitor.draft.baseline');
});
