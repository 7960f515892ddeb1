/**
 * From where on cosines mean something among the vectors of a model: measured on labelled pictures or sounds, printed with what it was found by, and with --write kept in the
 * model's folder.
 *   node scripts/calibrate-clips.ts --model FOLDER --data DIR [--width 64 --height 64] [--seconds 5] [--most 300] [--write]
 * DIR is as scripts/make-fake-frames.ts writes it: `frames.bin` with `labels.jsonl` (a line of captions for each), or `sounds.bin` with `sound-labels.jsonl`. Of films, single
 * frames: `ffmpeg -i film.mp4 -vf fps=1,scale=160:90 -pix_fmt rgb24 -f rawvideo -`.
 *
 * Two readings of one thing are it and a copy that was made smaller and packed as JPEG, or made quieter with noise in it. A caption fits only its own picture, and those that have
 * the same caption.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decode, encode } from 'jpeg-js';
import { cosine } from '../src-main/base/cosine.ts';
import { seededRandom } from '../src-main/base/seeded-random.ts';
import type { RawPicture } from '../src-main/clips/media/media.ts';
import { MANIFEST_FILE, MOST_CLOSENESS, readClipModel } from '../src-main/clips/models/files/model-manifest.ts';
import type { SpaceThresholds } from '../src-main/clips/models/space-thresholds.ts';
import { ModelPair, pictureVector, soundVector } from '../src-main/clips/models/vectors/model-pair.ts';

const RATE = 48_000;

const options = {
  model: { type: 'string' },
  data: { type: 'string' },
  width: { type: 'string', default: '64' },
  height: { type: 'string', default: '64' },
  seconds: { type: 'string', default: '5' },
  most: { type: 'string', default: '300' },
  write: { type: 'boolean', default: false },
} as const;
const { values } = parseArgs({ options });
if (!values.model || !values.data)
  throw new Error('--model names a folder of a model, --data one of labelled pictures or sounds.');

/** Each thing, a copy of it, and what fits it. */
interface Measured {
  vector: Float32Array;
  copy: Float32Array;
  captions: string[];
}

const random = seededRandom(1);
const measured = await measure(values.model, values.data);
const cosines = cosinesOf(measured);
const thresholds = thresholdsFrom(cosines);
print();
if (values.write) await keep(values.model);

async function measure(folder: string, data: string): Promise<{ things: Measured[]; texts: Float32Array[] }> {
  const kind = JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8')).kind as string;
  return kind === 'pictures' ? await measurePictures(folder, data) : await measureSounds(folder, data);
}

async function measurePictures(folder: string, data: string) {
  const model = await readClipModel(folder, 'pictures');
  if (!model) throw new Error('There is no model in that folder.');
  const pair = await ModelPair.open(model, 1);
  const [width, height] = [Number(values.width), Number(values.height)];
  const things: Measured[] = [];
  for (const { bytes, captions } of await read(data, 'frames.bin', 'labels.jsonl', width * height * 3)) {
    const picture = { width, height, rgb: bytes };
    const copy = await pictureVector(pair, repacked(picture));
    things.push({ vector: await pictureVector(pair, picture), copy, captions });
  }
  return { things, texts: await textsOf(pair, things) };
}

async function measureSounds(folder: string, data: string) {
  const model = await readClipModel(folder, 'sounds');
  if (!model) throw new Error('There is no model in that folder.');
  const pair = await ModelPair.open(model, 1);
  const things: Measured[] = [];
  const length = Number(values.seconds) * RATE * 4;
  for (const { bytes, captions } of await read(data, 'sounds.bin', 'sound-labels.jsonl', length)) {
    const samples = new Float32Array(new Uint8Array(bytes).buffer);
    const copy = await soundVector(pair, quieter(samples));
    things.push({ vector: await soundVector(pair, samples), copy, captions });
  }
  return { things, texts: await textsOf(pair, things) };
}

async function textsOf(pair: { text(text: string): Promise<Float32Array> }, things: readonly Measured[]) {
  const texts: Float32Array[] = [];
  for (const { captions } of things) texts.push(await pair.text(captions[0] ?? ''));
  return texts;
}

async function read(data: string, bin: string, labels: string, length: number) {
  const lines = (await readFile(join(data, labels), 'utf8')).trim().split('\n').slice(0, Number(values.most));
  const bytes = await readFile(join(data, bin));
  return lines.map((line, at) => ({
    bytes: new Uint8Array(bytes.subarray(at * length, (at + 1) * length)),
    captions: (JSON.parse(line) as { captions: string[] }).captions,
  }));
}

/** Half as large, and through JPEG. */
function repacked({ width, height, rgb }: RawPicture): RawPicture {
  const [small, low] = [width >> 1, height >> 1];
  const data = Buffer.alloc(small * low * 4, 255);
  for (let y = 0; y < low; y++)
    for (let x = 0; x < small; x++)
      data.set(rgb.subarray((2 * y * width + 2 * x) * 3, (2 * y * width + 2 * x) * 3 + 3), (y * small + x) * 4);
  const jpeg = encode({ data, width: small, height: low }, 60);
  const back = decode(jpeg.data, { useTArray: true, formatAsRGBA: false });
  return { width: small, height: low, rgb: back.data };
}

/** Half as loud, with noise forty decibels below. */
function quieter(samples: Float32Array): Float32Array {
  const loud = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
  return samples.map((sample) => sample / 2 + 0.01 * loud * (random.uniform() - 0.5));
}

interface Cosines {
  copies: number[];
  others: number[];
  fitting: number[];
  unfitting: number[];
}

/** Of each with its copy, with another one, with its own caption, and with one that is none of its own. */
function cosinesOf({ things, texts }: Awaited<ReturnType<typeof measure>>): Cosines {
  const found: Cosines = { copies: [], others: [], fitting: [], unfitting: [] };
  for (const [at, { vector, copy, captions }] of things.entries()) {
    found.copies.push(cosine(vector, copy));
    found.fitting.push(cosine(vector, texts[at] as Float32Array));
    for (const step of [1, 7, 31]) {
      const other = (at + step) % things.length;
      const isSame = things[other]?.captions[0] === captions[0];
      if (isSame) continue;
      found.others.push(cosine(vector, (things[other] as Measured).vector));
      found.unfitting.push(cosine(vector, texts[other] as Float32Array));
    }
  }
  return found;
}

/** So many of them, 0 to 1, are smaller. */
function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
}

function thresholdsFrom({ copies, others, fitting, unfitting }: Cosines): SpaceThresholds {
  // Of a hundred honest readings one may fail, and none that is further from its like than others are.
  const same = Math.max(percentile(copies, 0.01), percentile(others, 0.5));
  // Half way between copies and what is another: nearer than those that only have something in common.
  const novel = 1 - (percentile(copies, 0.01) + percentile(others, 0.99)) / 2;
  const unrelated = Math.min(percentile(unfitting, 0.75), percentile(fitting, 0.05));
  const closest = Math.min(MOST_CLOSENESS, percentile(fitting, 0.95));
  return {
    same: rounded(same),
    novel: rounded(Math.max(0, novel)),
    unrelated: rounded(unrelated),
    closest: rounded(closest),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

function print(): void {
  const shares = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
  console.log(
    `${measured.things.length} things. Cosines, by percentiles ${shares.map((share) => share * 100).join(' ')}:`,
  );
  for (const [name, numbers] of Object.entries(cosines))
    console.log(name.padEnd(10), ...shares.map((share) => percentile(numbers, share).toFixed(3)));
  console.log('same: the 1st of copies · novel: 1 − half way from the 1st of copies to the 99th of others');
  console.log('unrelated: the 75th of captions that do not fit · closest: the 95th of those that do, 0.5 at the most');
  console.log(JSON.stringify(thresholds));
}

async function keep(folder: string): Promise<void> {
  const path = join(folder, MANIFEST_FILE);
  const manifest = { ...JSON.parse(await readFile(path, 'utf8')), thresholds };
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`);
}
