import { expect, it, onTestFinished } from 'vitest';
import { clipWorker } from '../../../../../src-main/app/parts/data/clip-worker.ts';
import { REFUSAL_CODES } from '../../../../../src-main/mesh/inference/messages.ts';
import { ClipSubmissionStore } from '../../../../../src-main/store/clips/clip-submissions.ts';
import type { ClipVectorKind } from '../../../../../src-main/store/clips/clip-tables.ts';
import { ClipStore } from '../../../../../src-main/store/clips/clips.ts';
import { WORLD_MODELS } from '../../../../support/clip-world.ts';
import { madeClip } from '../../../../support/clips/data-rows.ts';
import { memoryDatabase } from '../../../../support/memory-database.ts';

type Needs = Parameters<typeof clipWorker>[0];
const question = { topic: 'cats', count: 8, asker: 'validator', signal: new AbortController().signal };
const SPACE = WORLD_MODELS.space;
const unlike = (at: number) => Float32Array.from({ length: 8 }, (_, place) => Number(place === at));

/** A library of clips by their numbers, nearest first, each with vectors of these kinds. */
async function worker(clips: Record<number, readonly ClipVectorKind[]>, vectors: unknown = WORLD_MODELS) {
  const db = await memoryDatabase();
  onTestFinished(() => db.destroy());
  for (const [number, kinds] of Object.entries(clips)) {
    const values = {
      ...{ clip: madeClip(Number(number)), source: 'commons' as const, video: `v${number}`, title: 't', topic: 'cats' },
      ...{
        from_s: 0,
        to_s: 10,
        description: `cat ${number}`,
        described_by: 'title' as const,
        words: null,
        turns: null,
      },
      ...{ has_sound: 1, licence: 'by' as const, licence_url: null, author: null, attribution: 'a', page: null },
      ...{ url: null, bytes: 1, poster_bytes: 1, sha256: '0'.repeat(64), width: 2, height: 2, container: 'webm' },
      ...{ space: SPACE, score: null, is_taken_down: 0, created_at: 5 },
    };
    await db.insertInto('clips').values(values).execute();
    const rows = kinds.map((kind) => ({
      ...{ clip: values.clip, kind, space: SPACE, vector: Buffer.from(unlike(Number(number)).buffer) },
    }));
    await db.insertInto('clip_vectors').values(rows).execute();
  }
  const near = Object.keys(clips).map((number) => ({ id: madeClip(Number(number)), closeness: 0.3 }));
  return clipWorker({
    stores: { clips: new ClipStore(db), submissions: new ClipSubmissionStore(db) } as Needs['stores'],
    models: { now: { vectors, thresholds: null } } as Needs['models'],
    index: { nearest: async () => [near] } as unknown as Needs['index'],
  });
}

it('hands in clips that are numbers with their words, and leaves out those that are not', async () => {
  const one = await worker({
    1: ['seen', 'described-seen'],
    2: ['seen'],
    3: ['described-seen'],
    4: ['seen', 'heard', 'described-seen'],
  });
  const handed = await one.videos(question);
  expect(handed.map(({ id, heard }) => [id, heard !== null])).toEqual([
    ['v1', false],
    ['v4', true],
  ]);
  expect(handed[0]).toMatchObject({ source: 'commons', description: 'cat 1', space: SPACE, seen: unlike(1) });
});

it('says what it lacks without models, in a way that whoever asks over the mesh is told', async () => {
  const one = await worker({}, null);
  await expect(one.videos(question)).rejects.toMatchObject({
    code: expect.toSatisfy((code) => REFUSAL_CODES.includes(code)),
    said: { message: { key: 'clips.noModels' } },
  });
});
