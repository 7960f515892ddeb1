import { type SeededRandom, seededRandom } from '../../../src-main/base/seeded-random.ts';
import type { RawSound } from '../../../src-main/clips/media/media.ts';
import { oneOf } from './scene.ts';

/** Those that need no synthesiser. */
export const NOISES = ['tone', 'sweep', 'noise', 'clicks', 'silence'] as const;
export type Noise = (typeof NOISES)[number];
export const SOUNDS = [...NOISES, 'speech', 'conversation'] as const;
export type Sound = (typeof SOUNDS)[number];

/** The first of each is the plainest. */
export const SOUND_WORDS: Record<Sound, readonly string[]> = {
  tone: ['a steady tone', 'a constant beep', 'one note that is held'],
  sweep: ['a rising sweep', 'a tone that glides up', 'a siren that rises'],
  noise: ['white noise', 'hiss', 'the rushing of static'],
  clicks: ['clicks', 'regular ticking', 'a metronome that ticks'],
  silence: ['silence', 'nothing is heard', 'no sound at all'],
  speech: ['a voice speaks', 'somebody talks', 'speech of one person'],
  conversation: ['two people talk', 'a conversation of two voices', 'speech of two people in turn'],
};

/** What is heard, between −0.8 and 0.8. */
export function makeNoise(noise: Noise, length: { seconds: number; rate: number }, random: SeededRandom): RawSound {
  const { seconds, rate } = length;
  const samples = new Float32Array(Math.round(seconds * rate));
  const wave = WAVES[noise](random, length);
  for (let index = 0; index < samples.length; index++) samples[index] = wave(index / rate);
  return { samples, rate };
}

type Wave = (seconds: number) => number;
type WaveMaker = (random: SeededRandom, length: { seconds: number; rate: number }) => Wave;

const WAVES: Record<Noise, WaveMaker> = {
  tone: (random) => {
    const turns = 2 * Math.PI * (200 + 800 * random.uniform());
    const loud = 0.3 + 0.4 * random.uniform();
    return (at) => loud * Math.sin(turns * at);
  },
  sweep: (random, { seconds }) => {
    const from = 150 + 200 * random.uniform();
    const rise = (1_500 + 2_000 * random.uniform() - from) / seconds;
    return (at) => 0.5 * Math.sin(2 * Math.PI * (from * at + (rise * at * at) / 2));
  },
  noise: (random) => {
    const own = seededRandom(Math.floor(random.uniform() * 2 ** 32));
    const loud = 0.1 + 0.3 * random.uniform();
    return () => loud * (2 * own.uniform() - 1);
  },
  clicks: (random) => {
    const every = 0.15 + 0.4 * random.uniform();
    return (at) => (at % every < 0.004 ? 0.7 * Math.sign(Math.sin(at * 12_000)) : 0);
  },
  silence: () => () => 0,
};

/** So many ways to say what is heard, the plainest first. */
export function soundCaptions(sound: Sound, random: SeededRandom, count = 3): string[] {
  return [SOUND_WORDS[sound][0] as string, ...Array.from({ length: count - 1 }, () => phrased(sound, random))];
}

function phrased(sound: Sound, random: SeededRandom): string {
  const words = oneOf(random, SOUND_WORDS[sound]);
  return oneOf(random, [words, `the sound of ${words}`, `one hears ${words}`, `a recording: ${words}`]);
}
