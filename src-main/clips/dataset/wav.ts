import type { RawSound } from '../media/media.ts';

const HEADER_BYTES = 44;
/** Whole numbers of 16 bits, uncompressed, one channel. */
const [PCM, CHANNELS, SAMPLE_BYTES, HIGHEST] = [1, 1, 2, 32_767];
const ABOVE_0 = 32_768;

/** A sound as a WAV file of 16 bits; what is louder than 1 is cut off. All computers that Quarry runs on have the low byte first, as the file has it. */
export function wavOf({ samples, rate }: RawSound): Uint8Array {
  const bytes = SAMPLE_BYTES * samples.length;
  const wav = Buffer.alloc(HEADER_BYTES + bytes); // of its own: numbers begin at an even place
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(HEADER_BYTES - 8 + bytes, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(PCM, 20);
  wav.writeUInt16LE(CHANNELS, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate * CHANNELS * SAMPLE_BYTES, 28);
  wav.writeUInt16LE(CHANNELS * SAMPLE_BYTES, 32);
  wav.writeUInt16LE(8 * SAMPLE_BYTES, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(bytes, 40);
  // Two million of them are in the longest clip. Above 0 whole numbers are had by leaving off what is behind the point, in a fifth of the time of `Math.round`.
  const numbers = new Int16Array(wav.buffer, wav.byteOffset + HEADER_BYTES, samples.length);
  for (let at = 0; at < samples.length; at++) {
    const within = Math.max(-1, Math.min(1, samples[at] as number));
    numbers[at] = ((within * HIGHEST + ABOVE_0 + 0.5) | 0) - ABOVE_0;
  }
  return wav;
}
