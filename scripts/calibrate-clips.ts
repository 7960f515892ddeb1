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
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { quantile } from '../src-main/base/quantile.ts';
import { seededRandom } from '../src-main/base/seeded-random.ts';
import { quieter, repacked } from '../src-main/clips/calibration/copies.ts';
import { cosinesOf, type Reading, thresholdsFrom, whyUnlike } from '../src-main/clips/calibration/thresholds-from.ts';
import { keepThresholds, type VectorModel } from '../src-main/clips/models/files/keep-thresholds.ts';
import { MANIFEST_FILE, readClipModel } from '../src-main/clips/models/files/model-manifest.ts';
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

interface Measured {
  model: VectorModel;
  readings: Reading[];
}

const random = seededRandom(1);
const { model, readings } = await measure(values.model, values.data);
const cosines = await cosinesOf(readings);
const thresholds = thresholdsFrom(cosines);
print();
if (values.write) await keepThresholds(model, { thresholds, by: readings.length, at: Date.now() });

async function measure(folder: string, data: string): Promise<Measured> {
  const kind = JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8')).kind as string;
  return kind === 'pictures' ? await measurePictures(folder, data) : await measureSounds(folder, data);
}

async function measurePictures(folder: string, data: string): Promise<Measured> {
  const model = await readClipModel(folder, 'pictures');
  if (!model) throw new Error('There is no model in that folder.');
  const pair = await ModelPair.open(model, 1);
  const [width, height] = [Number(values.width), Number(values.height)];
  const readings: Reading[] = [];
  for (const { bytes, caption } of await read(data, 'frames.bin', 'labels.jsonl', width * height * 3)) {
    const picture = { width, height, rgb: bytes };
    const [vector, copy] = [await pictureVector(pair, picture), await pictureVector(pair, await repacked(picture))];
    readings.push({ group: caption, vector, copy, text: await pair.text(caption) });
  }
  return { model, readings };
}

async function measureSounds(folder: string, data: string): Promise<Measured> {
  const model = await readClipModel(folder, 'sounds');
  if (!model) throw new Error('There is no model in that folder.');
  const pair = await ModelPair.open(model, 1);
  const readings: Reading[] = [];
  const length = Number(values.seconds) * RATE * 4;
  for (const { bytes, caption } of await read(data, 'sounds.bin', 'sound-labels.jsonl', length)) {
    const samples = new Float32Array(new Uint8Array(bytes).buffer);
    const [vector, copy] = [await soundVector(pair, samples), await soundVector(pair, await quieter(samples, random))];
    readings.push({ group: caption, vector, copy, text: await pair.text(caption) });
  }
  return { model, readings };
}

async function read(data: string, bin: string, labels: string, length: number) {
  const lines = (await readFile(join(data, labels), 'utf8')).trim().split('\n').slice(0, Number(values.most));
  const bytes = await readFile(join(data, bin));
  return lines.map((line, at) => ({
    bytes: new Uint8Array(bytes.subarray(at * length, (at + 1) * length)),
    caption: (JSON.parse(line) as { captions: string[] }).captions[0] ?? '',
  }));
}

function print(): void {
  const shares = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
  console.log(`${readings.length} things. Cosines, by percentiles ${shares.map((share) => share * 100).join(' ')}:`);
  for (const [name, numbers] of Object.entries(cosines))
    console.log(name.padEnd(10), ...shares.map((share) => quantile(numbers, share).toFixed(3)));
  console.log('same: the 1st of copies · novel: 1 − half way from the 1st of copies to the 99th of others');
  console.log('unrelated: the 75th of captions that do not fit · closest: the 95th of those that do, 0.5 at the most');
  console.log('Within bounds, and not moved by the outermost tenth: thresholds-from.ts');
  const unlike = whyUnlike(cosines);
  if (unlike === 'scale') console.log('These tell nothing: words are close to everything, or to nothing.');
  else if (unlike) console.log(`These tell nothing: ${unlike} are no closer than others.`);
  console.log(JSON.stringify(thresholds));
}
