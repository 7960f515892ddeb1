/**
 * Pictures and sounds of the fake world as plain numbers, each with what it is: what small models for tests are trained with, and measured by.
 *   node scripts/make-fake-frames.ts --out DIR --count N --side 64 --seed S --sounds M --seconds 3 --rate 16000
 * `frames.bin` has N × side × side × 3 bytes, `labels.jsonl` a line for each; `sounds.bin` M × seconds × rate numbers of 32 bits, `sound-labels.jsonl`
 * a line for each. The same for the same seed, speech as far as espeak-ng is the same; without it there is none.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { type SeededRandom, seededRandom } from '../src-main/base/seeded-random.ts';
import { captions } from '../test/support/fake-world/captions.ts';
import { paintScene } from '../test/support/fake-world/paint.ts';
import { oneOf, randomScene } from '../test/support/fake-world/scene.ts';
import { makeNoise, NOISES, SOUNDS, type Sound, soundCaptions } from '../test/support/fake-world/sounds.ts';
import { espeak, speak } from '../test/support/fake-world/speech.ts';

const options = {
  out: { type: 'string' },
  count: { type: 'string', default: '0' },
  side: { type: 'string', default: '64' },
  sounds: { type: 'string', default: '0' },
  seconds: { type: 'string', default: '3' },
  rate: { type: 'string', default: '16000' },
  seed: { type: 'string', default: '1' },
} as const;
const { values } = parseArgs({ options });
if (!values.out) throw new Error('--out says where to.');
const folder = values.out;
await mkdir(folder, { recursive: true });
const seed = Number(values.seed);
if (Number(values.count) > 0) await writeFrames(Number(values.count), Number(values.side));
if (Number(values.sounds) > 0) await writeSounds(Number(values.sounds), Number(values.seconds), Number(values.rate));

async function writeFrames(count: number, side: number): Promise<void> {
  const random = seededRandom(seed);
  await writePairs('frames.bin', 'labels.jsonl', count, () => {
    const scene = randomScene(random);
    const { rgb } = paintScene(scene, random.uniform() * 10, { width: side, height: side });
    const { shape, colour, background } = scene;
    return { bytes: rgb, label: { shape, colour, background, captions: captions(scene, random) } };
  });
}

async function writeSounds(count: number, seconds: number, rate: number): Promise<void> {
  const random = seededRandom(seed + 1);
  const kinds = espeak() ? SOUNDS : NOISES;
  await writePairs('sounds.bin', 'sound-labels.jsonl', count, async () => {
    const sound = oneOf(random, kinds);
    const { samples, ...more } = await made(sound, { seconds, rate }, random);
    const label = { sound, captions: soundCaptions(sound, random), ...more };
    return { bytes: new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), label };
  });
}

async function made(sound: Sound, length: { seconds: number; rate: number }, random: SeededRandom) {
  if (sound !== 'speech' && sound !== 'conversation') return makeNoise(sound, length, random);
  const first = oneOf(random, ['anna', 'ben'] as const);
  const second = first === 'anna' ? 'ben' : 'anna';
  const spoken = await speak(length, sound === 'speech' ? [first] : [first, second], random);
  return { ...spoken.sound, turns: spoken.turns, words: spoken.words };
}

interface Pair {
  bytes: Uint8Array;
  label: object;
}

async function writePairs(bin: string, lines: string, count: number, next: () => Pair | Promise<Pair>): Promise<void> {
  const [bytes, labels] = [createWriteStream(join(folder, bin)), createWriteStream(join(folder, lines))];
  for (let index = 0; index < count; index++) {
    const pair = await next();
    labels.write(`${JSON.stringify(pair.label)}\n`);
    if (!bytes.write(pair.bytes)) await once(bytes, 'drain');
  }
  labels.end();
  bytes.end();
  await Promise.all([finished(labels), finished(bytes)]);
}
