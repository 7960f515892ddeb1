import { expect, it } from 'vitest';
import { wavOf } from '../../../../src-main/clips/dataset/wav.ts';
import { cpuMs } from '../../../support/cpu-time.ts';

it('has a header, and each sample in 16 bits, the low byte first; what is louder than 1 is cut off', () => {
  const wav = Buffer.from(wavOf({ samples: Float32Array.of(0, 1, -1, 0.5, 7, -7), rate: 16_000 }));
  expect(wav.subarray(0, 4).toString()).toBe('RIFF');
  expect(wav.readUInt32LE(24)).toBe(16_000);
  expect([wav.readUInt32LE(40), wav.length]).toEqual([12, 44 + 12]);
  expect(Array.from({ length: 6 }, (_, at) => wav.readInt16LE(44 + 2 * at))).toEqual([
    0, 32_767, -32_767, 16_384, 32_767, -32_767,
  ]);
});

it('of the longest clip there is does not keep others from their turns', async () => {
  const samples = Float32Array.from({ length: 120 * 16_000 }, (_, at) => Math.sin(at));
  wavOf({ samples: samples.subarray(0, 100_000), rate: 16_000 });
  const took: number[] = [];
  for (let time = 0; time < 3; time++) took.push(await cpuMs(() => wavOf({ samples, rate: 16_000 })));
  expect(Math.min(...took)).toBeLessThan(20); // the least: what files before this one have left may be collected meanwhile
});
