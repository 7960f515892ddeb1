/**
 * Makes the fake world of clips that tests and measurements use, with a manifest of what is true of each:
 *   node scripts/make-fake-world.ts --out DIR --count 200 --seed 1
 * Wants ffmpeg, and espeak-ng for speech.
 */
import { parseArgs } from 'node:util';
import { makeFakeWorld } from '../test/support/fake-world/make-world.ts';
import { espeak } from '../test/support/fake-world/speech.ts';

const options = {
  out: { type: 'string' },
  count: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
} as const;
const { values } = parseArgs({ options });
if (!values.out) throw new Error('--out says where to.');
if (!espeak()) console.warn('There is no espeak-ng: in place of speech there will be noise.');
const { clips } = await makeFakeWorld(values.out, Number(values.count), Number(values.seed));
console.log(`${clips.length} clips are in ${values.out}.`);
