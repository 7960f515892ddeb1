import type { RawSound } from '../media/media.ts';

const HEADER_BYTES = 44;
/** Whole numbers of 16 bits, uncompressed, one channel. */
const [PCM, CHANNELS, SAMPLE_BYTES, HIGHEST] = [1, 1, 2, 32_767];

/** A sound as a WAV file of 16 bits; what is louder than 1 is cut off. */
export function wavOf({ samples, rate }: RawSound): Uint8Array {
  const bytes = SAMPLE_BYTES * samples.length;
  const wav = Buffer.alloc(HEADER_BYTES + bytes);
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
  for (const [at, sample] of samples.entries()) {
    const within = Math.max(-1, Math.min(1, sample));
    wav.writeInt16LE(Math.round(within * HIGHEST), HEADER_BYTES + SAMPLE_BYTES * at);
  }
  return wav;
}
