import { MOST_SOUNDS } from '../../../../../src-preload/contract/data-limits.ts';
import type { SpokenTurn } from '../../../../clips/models/clip-models.ts';

/** Seconds of a sound that counts (OMEGA, B2). */
export const [LEAST_SECONDS, MOST_SECONDS] = [45, 80] as const;
/** What the parts of a sound’s quality count, and those of its score (B6). */
const QUALITY = { speech: 0.2, dominance: 0.2, noise: 0.1, speakers: 0.5 };
const SCORE = { diarisation: 0.6, length: 0.1, quality: 0.2, topic: 0.1 };
/** A frame of 25 milliseconds, and how many decibels between speech and noise are all that can be wished for. */
const [FRAME_SECONDS, BEST_DECIBELS] = [0.025, 50];
/** Of what is taken for noise, this share of frames is quieter. */
const QUIET_SHARE = 0.1;
/** Where the quietest frames are silent altogether. */
const SILENT_DECIBELS = 100;

/** What a sound is worth by itself, each 0 to 1. */
export interface SoundQuality {
  /** Share of it in which somebody speaks. */
  speech: number;
  /** How evenly its speakers share what is spoken; 0 for one alone. */
  dominance: number;
  /** How far speech stands out of noise. */
  noise: number;
  /** How well the number of speakers suits: two are best. */
  speakers: number;
  /** All of it together. */
  quality: number;
}

/**
 * How good a sound of speech is (OMEGA, B6).
 * @param samples of one channel, −1 to 1
 * @param rate samples a second
 * @param turns whoever speaks, as the validator found it
 * @param speechSeconds in which somebody speaks
 */
export function soundQuality(
  samples: Float32Array,
  rate: number,
  turns: readonly SpokenTurn[],
  speechSeconds: number,
): SoundQuality {
  const seconds = samples.length / rate;
  const spoken = secondsBySpeaker(turns);
  const parts = {
    speech: seconds > 0 ? Math.min(1, speechSeconds / seconds) : 0,
    dominance: dominance(spoken, seconds),
    noise: noiseScore(samples, rate),
    speakers: speakersScore(spoken.length),
  };
  const quality = Object.entries(QUALITY).reduce(
    (sum, [part, share]) => sum + share * parts[part as keyof typeof parts],
    0,
  );
  return { ...parts, quality };
}

/** What is measured of the sounds of a submission, each 0 to 1 but the topic, which is a cosine. */
export interface SoundParts {
  /** Of the sound that was looked at closely, {@link diarisationError}. */
  errorRate: number;
  /** Seconds of all that count. */
  seconds: number;
  quality: number;
  topic: number;
}

/** What a submission of sounds is worth (OMEGA, B6). */
export function soundScore({ errorRate, seconds, quality, topic }: SoundParts): number {
  const parts = {
    diarisation: 1 - Math.min(1, Math.max(0, errorRate)),
    length: seconds / (MOST_SOUNDS * MOST_SECONDS),
    ...{ quality, topic },
  };
  return Object.entries(SCORE).reduce((sum, [part, share]) => sum + share * parts[part as keyof typeof parts], 0);
}

function secondsBySpeaker(turns: readonly SpokenTurn[]): number[] {
  const seconds = new Map<string, number>();
  for (const { from, to, speaker } of turns) seconds.set(speaker, (seconds.get(speaker) ?? 0) + to - from);
  return [...seconds.values()];
}

function dominance(spoken: readonly number[], seconds: number): number {
  if (spoken.length < 2 || seconds <= 0) return 0;
  return Math.max(0, 1 - (Math.max(...spoken) - Math.min(...spoken)) / seconds);
}

/** Two are best, up to four are of use; one alone says nothing to anybody. */
function speakersScore(speakers: number): number {
  return speakers < 2 || speakers > 4 ? 0 : 1 / (speakers - 1);
}

/** The mean power of a sound beside that of its quietest frames. */
function noiseScore(samples: Float32Array, rate: number): number {
  const frame = Math.max(1, Math.round(FRAME_SECONDS * rate));
  const powers: number[] = [];
  for (let from = 0; from + frame <= samples.length; from += frame)
    powers.push(meanPower(samples.subarray(from, from + frame)));
  if (powers.length === 0) return 0;
  const quiet = powers.toSorted((a, b) => a - b)[Math.floor(QUIET_SHARE * (powers.length - 1))] ?? 0;
  const mean = meanPower(samples);
  if (mean === 0) return 0;
  const decibels = quiet > 0 ? 10 * Math.log10(mean / quiet) : SILENT_DECIBELS;
  return Math.min(1, Math.max(0, decibels / BEST_DECIBELS));
}

function meanPower(samples: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < samples.length; at++) sum += (samples[at] as number) ** 2;
  return sum / samples.length;
}
