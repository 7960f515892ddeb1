import type { DepthBand } from '../../../../../../src-preload/contract/evaluation-numbers.ts';

/** The ends of a band in a text of so many words. The outer ones are narrow: within a hundred words of an end, but at least ten away from it. */
export function bandOf(band: DepthBand, words: number): [least: number, most: number] {
  const edge = Math.min(10, words / 20);
  const outer = Math.min(100, words / 10);
  switch (band) {
    case 'beginning':
      return [edge, outer];
    case 'early':
      return [words / 10, words / 4];
    case 'middle':
      return [words / 3, (2 * words) / 3];
    case 'late':
      return [(3 * words) / 4, (9 * words) / 10];
    case 'end':
      return [words - outer, words - edge];
  }
}

/** A place in a band: as far into it as the share says. The same share is the same place in texts of any length. */
export function placeIn(band: DepthBand, share: number, words: number): { at: number; within: [number, number] } {
  const within = bandOf(band, words);
  return { at: within[0] + share * (within[1] - within[0]), within };
}
