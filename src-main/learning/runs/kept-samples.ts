import { z } from 'zod';
import { OBJECTIVES, type Objective } from '../../../src-preload/contract/learning-runs.ts';
import { parsedJson } from '../../base/json-text.ts';
import { bytesToSamples, samplesToBytes } from '../training/remote/sample-bytes.ts';
import { MOST_TOKENS } from '../training/training-messages.ts';
import type { PieceForm } from './run-files.ts';
import type { Sampled } from './sampling.ts';

/** What a run learns from, and by which objective. */
export type ChosenSamples = Sampled & { objective: Objective };

/** `samples`: how many of all there are not anchors. */
const headSchema = z.object({
  objective: z.enum(OBJECTIVES),
  ...{ tried: z.int(), complied: z.int(), tooLong: z.int(), samples: z.int().min(0) },
});
const LENGTH_BYTES = 4;
/** More than a run ever has: 192 prompts, 8 answers to each, and anchors. */
const BOUNDS = { samples: 4_096, tokens: MOST_TOKENS, isTold: true };

/**
 * How many bytes the head has (32 bits, little endian), the head as JSON, and the samples as trainers are sent them. As JSON they would hold up this process: 40 of 200 tokens,
 * each with the teacher's 100 likeliest, took 270 ms to write and 220 ms to read in one go. A run that an older version has left with such JSON makes its samples anew.
 */
export const SAMPLES: PieceForm<ChosenSamples> = {
  file: 'samples.bin',
  async write({ samples, anchors, ...counts }) {
    const head = Buffer.from(JSON.stringify({ ...counts, samples: samples.length }));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(head.length);
    const bytes = await samplesToBytes([...samples, ...anchors], Number.POSITIVE_INFINITY);
    return Buffer.concat([length, head, bytes]);
  },
  async read(bytes) {
    const end = LENGTH_BYTES + bytes.readUInt32LE();
    const head = headSchema.parse(parsedJson(bytes.toString('utf8', LENGTH_BYTES, end)));
    const all = await bytesToSamples(bytes.subarray(end), BOUNDS);
    if (all.length < head.samples) throw new Error('fewer samples than there were');
    return { ...head, samples: all.slice(0, head.samples), anchors: all.slice(head.samples) };
  },
};
