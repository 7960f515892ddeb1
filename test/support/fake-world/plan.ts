import { type SeededRandom, seededRandom } from '../../../src-main/base/seeded-random.ts';
import { shuffled } from '../../../src-main/base/shuffled.ts';
import type { Licence } from '../../../src-preload/contract/data-names.ts';
import { captions, plainCaption, SHAPE_WORDS } from './captions.ts';
import type { Film, Shot } from './film.ts';
import { BACKGROUNDS, COLOURS, oneOf, randomScene, type Scene, SHAPES } from './scene.ts';
import type { Sound } from './sounds.ts';

/**
 * What is wrong with a clip, or special. `duplicate`: another one, encoded anew; `stuffed`: described with words for everything; `wrongVectors`: whoever hands it
 * in has the vectors of another; `noDerivatives`, `unknownLicence`: nobody may cut it; `truncated`: half a file; `silent`: without sound;
 * `twoSpeakers`: who speaks when is known.
 */
export const PLANTED = [
  ...(['duplicate', 'stuffed', 'wrongVectors', 'noDerivatives', 'truncated', 'silent', 'twoSpeakers'] as const),
  'unknownLicence',
] as const;
export type Planted = (typeof PLANTED)[number];

/** What comes again and again: of twelve clips four are as they should be. */
const CYCLE: readonly (Planted | null)[] = [null, null, null, ...PLANTED, null];
/** A duplicate is one of the clip so many before it. */
export const COPY_OF = 3;

/** A clip before it is made. */
export interface PlannedClip extends Pick<Film, 'shots' | 'width' | 'height' | 'format'> {
  name: string;
  /** What somebody would look for who wants to find it. */
  topic: string;
  title: string;
  /** What is seen, scene by scene. */
  captions: string[];
  /** What its maker says of it. */
  description: string;
  sound: Sound | null;
  licence: Licence;
  planted: Planted | null;
  /** The name of the clip that it is a copy of. */
  copyOf: string | null;
}

/** So many clips, the same for the same seed. */
export function planWorld(count: number, seed = 1): PlannedClip[] {
  const random = seededRandom(seed);
  const looks = SHAPES.flatMap((shape) =>
    COLOURS.flatMap((colour) => BACKGROUNDS.map((background) => ({ shape, colour, background }))),
  );
  const order = shuffled(looks, () => random.uniform());
  const clips: PlannedClip[] = [];
  for (let index = 0; index < count; index++) {
    const planted = CYCLE[index % CYCLE.length] ?? null;
    const original = planted === 'duplicate' ? clips[index - COPY_OF] : undefined;
    const name = `clip-${String(index).padStart(3, '0')}`;
    clips.push(original ? copyOf(original, name) : planClip(name, planted, order[index % order.length], random));
  }
  return clips;
}

function planClip(name: string, planted: Planted | null, look: Partial<Scene> = {}, random: SeededRandom): PlannedClip {
  const shots = planShots(look, random);
  const sound = soundOf(planted, random);
  const seen = shots.map(({ scene }) => plainCaption(scene));
  const [width, height] = oneOf(random, [[160, 120] as const, [240, 180] as const, [320, 180] as const]);
  return {
    ...{ name, shots, sound, planted, width, height, captions: seen, copyOf: null },
    format: oneOf(random, ['webm', 'mp4'] as const),
    topic: `moving ${SHAPE_WORDS[(shots[0] as Shot).scene.shape][0]}`,
    title: captions((shots[0] as Shot).scene, random, 2)[1] as string,
    description: planted === 'stuffed' ? stuffed() : `${sentence(seen.join(', then '))} ${HEARD[sound ?? 'silence']}`,
    licence: licenceOf(planted, random),
  };
}

/** One scene, or up to three of which each has another background than the one before: six to twenty seconds. */
function planShots(look: Partial<Scene>, random: SeededRandom): Shot[] {
  const shots: Shot[] = [{ scene: randomScene(random, look), seconds: 6 + Math.floor(random.uniform() * 3) }];
  const more = Math.floor(random.uniform() * 3);
  for (let index = 0; index < more; index++) {
    const last = shots.at(-1)?.scene.background;
    const background = oneOf(
      random,
      BACKGROUNDS.filter((each) => each !== last),
    );
    shots.push({ scene: randomScene(random, { background }), seconds: 3 + Math.floor(random.uniform() * 3) });
  }
  return shots;
}

/** The same with other pixels and another codec, under another title. */
function copyOf(original: PlannedClip, name: string): PlannedClip {
  const [width, height] =
    original.height === 120 ? [240, 180] : [160, Math.round((160 * original.height) / original.width / 2) * 2];
  const format = original.format === 'webm' ? 'mp4' : 'webm';
  const title = `Look: ${original.title}`;
  return { ...original, name, width, height, format, title, planted: 'duplicate', copyOf: original.name };
}

function soundOf(planted: Planted | null, random: SeededRandom): Sound | null {
  if (planted === 'silent') return null;
  if (planted === 'twoSpeakers') return 'conversation';
  return random.uniform() < 0.6 ? 'speech' : oneOf(random, ['tone', 'sweep', 'noise', 'clicks'] as const);
}

function licenceOf(planted: Planted | null, random: SeededRandom): Licence {
  if (planted === 'noDerivatives') return oneOf(random, ['byNd', 'byNcNd'] as const);
  return planted === 'unknownLicence' ? 'unknown' : oneOf(random, ['publicDomain', 'by', 'bySa', 'byNc'] as const);
}

const HEARD: Record<Sound, string> = {
  tone: 'A steady tone is heard.',
  sweep: 'A rising sweep is heard.',
  noise: 'White noise is heard.',
  clicks: 'Regular clicks are heard.',
  silence: 'There is no sound.',
  speech: 'One person speaks.',
  conversation: 'Two people talk.',
};

/** Words for whatever anybody may look for: all there is to be seen in this world. */
function stuffed(): string {
  const scenes = SHAPES.flatMap((shape) =>
    COLOURS.flatMap((colour) => BACKGROUNDS.map((background) => plainCaption({ shape, colour, background } as Scene))),
  );
  return scenes.join('. ');
}

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
