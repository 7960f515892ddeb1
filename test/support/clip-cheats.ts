import type { HandedClip } from '../../src-main/subnets/omega/clips/synapse/entries.ts';
import { described, honestClip } from './handed-in.ts';
import { clipVectors, mixed, random, textVectors } from './judged-clips.ts';

/** Clips that a miner hands in to a question, by how it goes about it. @param nth of its answers: no two are of the same videos */
export type Strategy = (topic: string, nth: number) => HandedClip[];

const of = (nth: number, make: (at: number) => HandedClip, count = 8) =>
  Array.from({ length: count }, (_, at) => make(8 * nth + at));
const video = (topic: string, at: number) => `${topic} tree moon:${at}`;
const honest = (topic: string, at: number) => honestClip(video(topic, at));

/** As close to words as vectors can be made without a clip: in the midst of topic and description. */
function madeUp(topic: string, at: number): HandedClip {
  const clip = honest(topic, at);
  const [asked, said] = [textVectors(topic), textVectors(clip.description)];
  const of = (kind: 'seen' | 'heard') =>
    mixed(
      [0.5, asked[kind] as Float32Array],
      [0.5, said[kind] as Float32Array],
      [1.2, random(`made up ${kind} ${at}`)],
    );
  return { ...clip, seen: of('seen'), heard: of('heard') };
}

/** Vectors of the clip, turned to the topic as far as nobody would call it another clip. */
function bent(topic: string, at: number): HandedClip {
  const clip = honest(topic, at);
  return { ...clip, seen: mixed([1, clip.seen], [0.3, textVectors(topic).seen]) };
}

export const STRATEGIES: Record<string, Strategy> = {
  honest: (topic, nth) => of(nth, (at) => honest(topic, at)),
  'clips of anything': (_, nth) => of(nth, (at) => honestClip(`cars street:${at}`)),
  'made up vectors': (topic, nth) => of(nth, (at) => madeUp(topic, at)),
  'made up vectors, from a server of one’s own': (topic, nth) =>
    of(nth, (at) => ({ ...madeUp(topic, at), source: 'peertube' })),
  'seven honest, one made up': (topic, nth) => of(nth, (at) => (at % 8 === 0 ? madeUp(topic, at) : honest(topic, at))),
  'made up in one answer of ten': (topic, nth) =>
    of(nth, (at) => (nth % 10 === 0 ? madeUp(topic, at) : honest(topic, at))),
  'made up sound alone': (topic, nth) => of(nth, (at) => ({ ...honest(topic, at), heard: madeUp(topic, at).heard })),
  'a sound for silent videos': (topic, nth) =>
    of(nth, (at) => ({ ...honestClip(`${video(topic, at)} silent`), heard: madeUp(topic, at).heard })),
  'the wrong stretch': (topic, nth) =>
    of(nth, (at) => ({ ...honest(topic, at), ...clipVectors(video(topic, at), { from: 90, to: 120 }) })),
  'vectors of a better video': (topic, nth) =>
    of(nth, (at) => ({
      ...honestClip(`cars street:${at}`, { description: described(`${topic} tree moon`) }),
      ...clipVectors(video(topic, at), { from: 10, to: 40 }),
    })),
  'vectors bent to the topic': (topic, nth) => of(nth, (at) => bent(topic, at)),
  'the same clips each time': (topic) => of(0, (at) => honest(topic, at)),
  'clips that others handed in': (topic) => of(0, (at) => honestClip(`${topic} tree moon:known ${at}`)),
  'one clip eight times': (topic, nth) => of(nth, () => honest(topic, 8 * nth)),
  'videos that are not there': (topic, nth) => of(nth, (at) => ({ ...madeUp(topic, at), id: `${topic} gone:${at}` })),
  'long descriptions of words for anything': (topic, nth) =>
    of(nth, (at) => honestClip(video(topic, at), { description: stuffed(topic) })),
  'descriptions written for the topic': (topic, nth) =>
    of(nth, (at) => honestClip(video(topic, at), { description: described(topic) })),
  'descriptions written to fit the vectors': (topic, nth) =>
    of(nth, (at) => honestClip(video(topic, at), { description: described(`${topic} ${topic} tree moon`) })),
};

/** 300 words of which each piece is of something else. */
const stuffed = (topic: string) =>
  `${topic} tree moon ${Array.from({ length: 10 }, (_, at) => Array.from({ length: 30 }, (_, word) => `subject${at}x${word}`).join(' ')).join(' ')}`;
