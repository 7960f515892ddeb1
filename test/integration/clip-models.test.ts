import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cosine } from '../../src-main/base/cosine.ts';
import { seededRandom } from '../../src-main/base/seeded-random.ts';
import { LocalCaptioner } from '../../src-main/clips/models/local-captioner.ts';
import { VectorModels } from '../../src-main/clips/models/vector-models.ts';
import { plainCaption, SHAPE_WORDS } from '../support/fake-world/captions.ts';
import { paintScene } from '../support/fake-world/paint.ts';
import {
  BACKGROUNDS,
  type Background,
  COLOURS,
  type Colour,
  randomScene,
  type Scene,
  SHAPES,
  type Shape,
} from '../support/fake-world/scene.ts';
import { makeNoise, NOISES, SOUND_WORDS } from '../support/fake-world/sounds.ts';
import { tinyModels } from '../support/tiny-clip-models.ts';

const never = new AbortController().signal;
const size = { width: 320, height: 180 };
const film = (scene: Scene, from = 0) => Array.from({ length: 8 }, (_, at) => paintScene(scene, from + at * 1.2, size));

let models: VectorModels;
beforeAll(async () => {
  models = new VectorModels(await tinyModels());
});
afterAll(() => models.close());

describe('vectors of clips', () => {
  it('have a space with the names of the models and what their files are', () => {
    expect(models.space).toMatch(/^tiny-pictures@[0-9a-f]{12}\+tiny-sounds@[0-9a-f]{12}#reading\d+$/);
  });

  it('are nearer to what is said of a scene than to what is said of others', async () => {
    const all = SHAPES.flatMap((shape) =>
      COLOURS.flatMap((colour) => BACKGROUNDS.map((background) => ({ shape, colour, background }))),
    );
    const random = seededRandom(4_711);
    const captions = await models.texts(
      all.map((scene) => plainCaption(randomScene(random, scene))),
      never,
    );
    const scenes = Array.from({ length: 40 }, () => randomScene(random));
    let right = 0;
    for (const scene of scenes) {
      const video = await models.pictures(film(scene), never);
      const best = greatest(captions.map(({ seen }) => cosine(seen, video)));
      right += Number(isOf(scene, all[best] as (typeof all)[number]));
    }
    expect(right / scenes.length).toBeGreaterThan(0.95);
  });

  it('are made without a word to whoever made the runtime', async () => {
    await models.texts(['a red circle'], never);
    expect(models.pid).toBeGreaterThan(0);
    // Its telemetry begins with this file.
    expect(existsSync(join(tmpdir(), `mat-debug-${models.pid}.log`))).toBe(false);
  });

  it('of sounds are nearest to their words', async () => {
    const random = seededRandom(99);
    const words = await models.texts(
      NOISES.map((noise) => SOUND_WORDS[noise][0] as string),
      never,
    );
    for (const noise of NOISES) {
      const sound = await models.sound(makeNoise(noise, { seconds: 12, rate: 48_000 }, random), never);
      const best = greatest(words.map(({ heard }) => cosine(heard as Float32Array, sound as Float32Array)));
      expect(NOISES[best]).toBe(noise);
    }
  });

  it('tell one clip of a kind from another, and know the same one again', async () => {
    const random = seededRandom(5);
    const given = { shape: 'star' as const, colour: 'red' as const, background: 'grey' as const };
    const [one, other] = [randomScene(random, given), randomScene(random, given)];
    const first = await models.pictures(film(one), never);
    expect(await models.pictures(film(one), never)).toEqual(first);
    expect(Math.hypot(...first)).toBeCloseTo(1, 5);
    const again = await models.pictures(film(one, 0.3), never);
    const another = await models.pictures(film(other), never);
    expect(cosine(first, again)).toBeGreaterThan(cosine(first, another));
  });

  it('find the labels of what is seen, for descriptions without a model that writes', async () => {
    const labels = [...SHAPES.map((shape) => SHAPE_WORDS[shape][0] as string), 'a dog', 'a train', 'a kitchen'];
    const captioner = new LocalCaptioner({ models, labels });
    const random = seededRandom(8);
    for (const shape of ['circle', 'star', 'bars'] as const) {
      const video = await models.pictures(film(randomScene(random, { shape })), never);
      const about = { title: 'A film', video, words: 'Good morning' };
      expect(await captioner.describe(about, never)).toBe(`A film. Seen: ${shape}. Spoken: Good morning.`);
    }
  });

  it('cut a text into pieces of sixty tokens', async () => {
    const { pieces, uniqueTokens } = await models.pieces(`${'a red circle on a chessboard '.repeat(30)}`, never);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join(' ').split(' ')).toHaveLength(180);
    expect(uniqueTokens).toBeGreaterThan(4);
    expect(uniqueTokens).toBeLessThan(12);
    expect(await models.pieces('hm', never)).toMatchObject({ pieces: ['hm'] });
    expect((await models.pieces('', never)).pieces).toEqual([]);
  });
});

describe('the process of the models', () => {
  it('is started anew where it was killed; who waited is told that another try may help', async () => {
    await models.texts(['a circle'], never);
    const { pid } = models;
    const asked = models.pictures(film(randomScene(seededRandom(1))), never);
    process.kill(pid as number, 'SIGKILL');
    await expect(asked).rejects.toMatchObject({ code: 'ENGINE_CRASHED', retryable: true });
    expect(await models.texts(['a circle'], never)).toHaveLength(1);
    expect(models.pid).not.toBe(pid);
  });

  it('ends where nothing is asked, and is there again for the next question', async () => {
    await using resting = ownModels(new VectorModels({ ...(await tinyModels()), idleMs: 50 }));
    await resting.texts(['a circle'], never);
    await expect.poll(() => resting.pid).toBeUndefined();
    expect(await resting.texts(['a circle'], never)).toHaveLength(1);
  });

  it('does not load a file that is another', async () => {
    const { pictures, sounds } = await tinyModels();
    const wrong = structuredClone(pictures);
    wrong.manifest.files.text.sha256 = '0'.repeat(64);
    await using damaged = ownModels(new VectorModels({ pictures: wrong, sounds }));
    const refused = { code: 'MODEL_INVALID', message: expect.stringContaining('text.onnx') };
    await expect(damaged.texts(['a circle'], never)).rejects.toMatchObject(refused);
  });

  it('goes on after a question that was given up', async () => {
    const giveUp = new AbortController();
    const asked = models.pictures(film(randomScene(seededRandom(2))), giveUp.signal);
    await sleep(1);
    giveUp.abort();
    await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await models.texts(['a circle'], never)).toHaveLength(1);
  });
});

const ownModels = (own: VectorModels) => Object.assign(own, { [Symbol.asyncDispose]: () => own.close() });

const isOf = (scene: Scene, said: { shape: Shape; colour: Colour; background: Background }) =>
  scene.shape === said.shape && scene.colour === said.colour && scene.background === said.background;

const greatest = (values: readonly number[]) => values.indexOf(Math.max(...values));
