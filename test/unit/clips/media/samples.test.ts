import { expect, it } from 'vitest';
import { SampleReader } from '../../../../src-main/clips/media/samples.ts';
import { scenesOf } from '../../../../src-main/clips/media/scene-cuts.ts';

const SAMPLES = [0, 16_384, -16_384, 32_767, -32_768, 255];
const BYTES = Buffer.alloc(2 * SAMPLES.length);
for (const [index, sample] of SAMPLES.entries()) BYTES.writeInt16LE(sample, 2 * index);

it.each([1, 2, 3, 5, 100])('puts samples together out of pieces of %i bytes', (step) => {
  const reader = new SampleReader(10, 8_000);
  for (let at = 0; at < BYTES.length; at += step) reader.add(BYTES.subarray(at, at + step));
  reader.add(Buffer.alloc(0));
  expect(reader.sound()).toEqual({ samples: Float32Array.from(SAMPLES, (sample) => sample / 32_768), rate: 8_000 });
});

it('takes no more samples than are wanted', () => {
  const reader = new SampleReader(2, 8_000);
  reader.add(BYTES);
  expect([...reader.sound().samples]).toEqual([0, 0.5]);
});

it('reads where scenes begin, in the time of the video', () => {
  const text =
    'frame:0    pts:1       pts_time:0.25\nlavfi.scene_score=0.301\nframe:1    pts:12      pts_time:3\nlavfi.scene_score=0.5\nframe:2    pts:13      pts_time:99.5\nlavfi.scene_score=0.5\n';
  expect(scenesOf(text, { from: 10, to: 20 })).toEqual([13]);
  expect(scenesOf('', { from: 10, to: 20 })).toEqual([]);
});
