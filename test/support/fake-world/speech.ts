import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { onPath } from '../../../src-main/base/on-path.ts';
import type { SeededRandom } from '../../../src-main/base/seeded-random.ts';
import type { RawSound } from '../../../src-main/clips/media/media.ts';
import type { SpokenTurn, SpokenWords } from '../../../src-main/clips/models/clip-models.ts';
import { oneOf } from './scene.ts';

/** Who can speak, and how espeak-ng makes them. */
export const VOICES = {
  anna: ['-v', 'en-us+f3', '-p', '65', '-s', '150'],
  ben: ['-v', 'en-gb+m3', '-p', '25', '-s', '145'],
} as const;
export type Voice = keyof typeof VOICES;

export const SENTENCES = [
  'Today we look at how bread is made at home.',
  'The train to the mountains leaves at nine in the morning.',
  'Please open the window and close the door behind you.',
  'A good knife is the most important tool in a kitchen.',
  'The river was high after three days of rain.',
  'My neighbour repairs old radios in his garage.',
  'First you measure the board, and then you cut it.',
  'Nobody knew who had painted the little yellow house.',
  'Water boils at a hundred degrees, but not on a high mountain.',
  'She counted the birds on the roof, and there were seven.',
  'The second chapter explains how stars are born.',
  'We planted potatoes in spring and dug them out in autumn.',
  'Turn left at the church, and you will see the market.',
  'He plays the violin every evening after work.',
  'The program reads a file and prints every line of it.',
  'Bees find their way home by the light of the sun.',
] as const;

/** For where there is little time left. */
export const SHORT_SENTENCES = [
  'Good morning.',
  'Yes, of course.',
  'I do not think so.',
  'That is right.',
  'Where is it?',
  'Come in, please.',
  'Two or three.',
  'Thank you very much.',
] as const;

/** What is said, with who says when and what. */
export interface Spoken {
  sound: RawSound;
  turns: SpokenTurn[];
  words: SpokenWords[];
}

/** Where the synthesiser is; without it there is no speech. */
export const espeak = (): string | undefined => onPath('espeak-ng');

const [GAP_SECONDS, LEAST_LEFT_SECONDS, SHORT_SECONDS] = [0.3, 0.6, 4.2];

/**
 * Sentences, one after another, until the time is up: the last one is never cut off.
 * @param first said at the beginning, before what chance chooses
 */
export async function speak(
  length: { seconds: number; rate: number },
  voices: readonly Voice[],
  random: SeededRandom,
  first: readonly string[] = [],
): Promise<Spoken> {
  const { seconds, rate } = length;
  const spoken: Spoken = {
    sound: { samples: new Float32Array(Math.round(seconds * rate)), rate },
    turns: [],
    words: [],
  };
  let at = GAP_SECONDS;
  for (let turn = 0; at < seconds - LEAST_LEFT_SECONDS; turn++) {
    const speaker = voices[turn % voices.length] as Voice;
    const sentence = first[turn] ?? oneOf(random, seconds - at > SHORT_SECONDS ? SENTENCES : SHORT_SENTENCES);
    const { samples } = await sentenceOf(speaker, sentence, rate);
    const to = at + samples.length / rate;
    if (to > seconds) break;
    spoken.sound.samples.set(samples, Math.round(at * rate));
    spoken.turns.push({ speaker, from: at, to });
    spoken.words.push({ words: sentence, from: at, to });
    at = to + GAP_SECONDS;
  }
  return spoken;
}

const known = new Map<string, Promise<RawSound>>();

/** Without the silence around it; the same sentence is made once. */
function sentenceOf(voice: Voice, sentence: string, rate: number): Promise<RawSound> {
  const key = `${voice} ${rate} ${sentence}`;
  const made = known.get(key) ?? synthesise(voice, sentence).then((sound) => resampled(trimmed(sound), rate));
  known.set(key, made);
  return made;
}

const run = promisify(execFile);

async function synthesise(voice: Voice, sentence: string): Promise<RawSound> {
  const program = espeak();
  if (!program) throw new Error('There is no espeak-ng.');
  const options = { encoding: 'buffer', maxBuffer: 16_000_000 } as const;
  const { stdout } = await run(program, [...VOICES[voice], '--stdout', sentence], options);
  return fromWav(stdout);
}

/** As espeak-ng writes it to a pipe: 44 bytes of header that do not know the length, then 16 bits a sample. */
function fromWav(wav: Buffer): RawSound {
  const rate = wav.readUInt32LE(24);
  const samples = new Float32Array((wav.length - 44) >> 1);
  for (let index = 0; index < samples.length; index++) samples[index] = wav.readInt16LE(44 + 2 * index) / 32_768;
  return { samples, rate };
}

function trimmed({ samples, rate }: RawSound): RawSound {
  const isHeard = (sample: number) => Math.abs(sample) > 0.01;
  return { samples: samples.subarray(samples.findIndex(isHeard), samples.findLastIndex(isHeard) + 1), rate };
}

/** Between two samples on a straight line: good enough for speech that a machine made. */
function resampled({ samples, rate }: RawSound, wanted: number): RawSound {
  const made = new Float32Array(Math.floor((samples.length * wanted) / rate));
  for (let index = 0; index < made.length; index++) {
    const at = (index * rate) / wanted;
    const before = Math.floor(at);
    const [left = 0, right = 0] = [samples[before], samples[before + 1]];
    made[index] = left + (right - left) * (at - before);
  }
  return { samples: made, rate: wanted };
}
