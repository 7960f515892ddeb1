import { expect, it, onTestFinished } from 'vitest';
import { ClipSubmissionStore } from '../../../../../../src-main/store/clips/clip-submissions.ts';
import { ClipHandIn, type OwnClip } from '../../../../../../src-main/subnets/omega/clips/answering/hand-in.ts';
import { honestClip } from '../../../../../support/handed-in.ts';
import { TURNS } from '../../../../../support/judged-clips.ts';
import { memoryDatabase } from '../../../../../support/memory-database.ts';

let number = 0;
function own(name: string, changed: Partial<OwnClip> = {}): OwnClip {
  const clip = (number++).toString(16).padStart(32, '0');
  return { ...honestClip(`owls night:${name}`), clip, isTakenDown: false, turns: TURNS, ...changed };
}

/** @param onLooked told when clips have been looked for */
async function handIn(clips: OwnClip[], onLooked = () => {}) {
  const db = await memoryDatabase();
  onTestFinished(() => db.destroy());
  const submissions = new ClipSubmissionStore(db);
  const library = {
    async chosenClips(_: string, count: number) {
      onLooked();
      return clips.slice(0, count);
    },
  };
  const worker = new ClipHandIn({ library, submissions, same: () => 0.95, now: () => 5 });
  const signal = new AbortController().signal;
  const ask = async (asker: string, count = 8) =>
    (await worker.videos({ topic: 'owls', count, asker, signal })).map(({ id }) => id);
  return { worker, submissions, ask, signal };
}

const ids = (...names: string[]) => names.map((name) => `owls night:${name}`);

it('hands in eight at the most, the nearest first, and to the same asker never the same', async () => {
  const { ask, submissions } = await handIn(Array.from({ length: 12 }, (_, at) => own(`${at}`)));
  expect(await ask('a', 64)).toEqual(ids('0', '1', '2', '3', '4', '5', '6', '7'));
  expect(await ask('a')).toEqual(ids('8', '9', '10', '11'));
  expect(await ask('a')).toEqual([]);
  expect(await ask('b', 2)).toEqual(ids('0', '1'));
  const sent = await submissions.list({ role: 'sent', rows: 10 });
  expect(sent.map(({ peer, clip_count, topic, at }) => ({ peer, clip_count, topic, at }))).toEqual([
    { peer: 'b', clip_count: 2, topic: 'owls', at: 5 },
    { peer: 'a', clip_count: 4, topic: 'owls', at: 5 },
    { peer: 'a', clip_count: 8, topic: 'owls', at: 5 },
  ]);
});

it('leaves out what is alike, taken down, under no open licence, of an own folder, or beyond what is fetched', async () => {
  const first = own('first');
  const { ask } = await handIn([
    first,
    { ...own('alike'), seen: first.seen },
    own('down', { isTakenDown: true }),
    own('closed', { licence: 'byNd' }),
    own('unknown', { licence: 'unknown' }),
    own('mine', { licence: 'own' }),
    own('folder', { source: 'folder' }),
    own('late', { from: 290, to: 310 }),
    own('last'),
  ]);
  expect(await ask('a')).toEqual(ids('first', 'last'));
});

it('of sounds hands in those of speech that are long enough, with who speaks', async () => {
  const { worker, signal } = await handIn([
    own('short'),
    own('silent', { from: 0, to: 60, heard: null }),
    own('unheard', { from: 0, to: 60, turns: null }),
    own('right', { from: 0, to: 60 }),
  ]);
  const sounds = await worker.sounds({ topic: 'owls', count: 4, asker: 'a', signal });
  expect(sounds).toMatchObject([{ id: 'owls night:right', turns: TURNS, from: 0, to: 60 }]);
  expect(sounds[0]).not.toHaveProperty('seen');
});

it('of sounds leaves out those that sound alike, and none for its picture', async () => {
  const span = { from: 0, to: 60 };
  const first = own('first', span);
  const { worker, signal } = await handIn([
    first,
    { ...own('alike', span), heard: first.heard },
    { ...own('other', span), seen: first.seen },
  ]);
  const sounds = await worker.sounds({ topic: 'owls', count: 4, asker: 'a', signal });
  expect(sounds.map(({ id }) => id)).toEqual(ids('first', 'other'));
});

it('who goes while it is looked for clips is not answered, and nothing counts as handed in', async () => {
  const ending = new AbortController();
  const clips = [own('x')];
  const { worker, submissions } = await handIn(clips, () => ending.abort(new Error('gone')));
  const asked = worker.videos({ topic: 'owls', count: 1, asker: 'a', signal: ending.signal });
  await expect(asked).rejects.toThrow('gone');
  expect(await submissions.list({ rows: 1 })).toEqual([]);
});

it('who asks no more is not answered, and nothing counts as handed in', async () => {
  const { worker, submissions } = await handIn([own('x')]);
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(worker.videos({ topic: 'owls', count: 1, asker: 'a', signal: gone })).rejects.toThrow('gone');
  expect(await submissions.list({ rows: 1 })).toEqual([]);
});

it('one asker alone does not take the places of all others', async () => {
  const { ask } = await handIn(Array.from({ length: 8 }, (_, at) => own(`${at}`)));
  const greedy = Promise.allSettled(Array.from({ length: 20 }, () => ask('greedy')));
  expect(await ask('other')).toHaveLength(8);
  const refused = (await greedy).filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(16);
  expect(refused[0]?.reason).toMatchObject({ code: 'QUEUE_FULL', retryable: true });
  expect(await ask('greedy')).toEqual([]);
});

it('more than sixteen at once are told to come again', async () => {
  const { ask } = await handIn([own('x')]);
  const asked = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => ask(`${at}`)));
  const refused = asked.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(4);
  expect(refused[0]?.reason).toMatchObject({ code: 'QUEUE_FULL', retryable: true });
});
