import type { SeededRandom } from '../../../src-main/base/seeded-random.ts';

export const SHAPES = ['circle', 'square', 'triangle', 'cross', 'star', 'bars', 'screen'] as const;
export type Shape = (typeof SHAPES)[number];
export const COLOURS = ['red', 'green', 'blue', 'yellow', 'white', 'magenta'] as const;
export type Colour = (typeof COLOURS)[number];
export const BACKGROUNDS = ['black', 'grey', 'checkered', 'gradient'] as const;
export type Background = (typeof BACKGROUNDS)[number];

/** What is seen until something else is. Lengths are shares of the picture's shorter side, places of its width and height. */
export interface Scene {
  shape: Shape;
  colour: Colour;
  background: Background;
  /** Of the shape, from its middle. */
  radius: number;
  /** Where its middle is at first, and how far it gets in a second; it comes back from the edges. */
  place: readonly [x: number, y: number];
  speed: readonly [x: number, y: number];
  /** Radians, and radians a second. Screens and bars stand upright. */
  angle: number;
  spin: number;
  /** Of everything, 0 to 1. */
  brightness: number;
}

/** @param given what is not left to chance */
export function randomScene(random: SeededRandom, given: Partial<Scene> = {}): Scene {
  const between = (least: number, most: number) => least + (most - least) * random.uniform();
  const scene: Scene = {
    shape: oneOf(random, SHAPES),
    colour: oneOf(random, COLOURS),
    background: oneOf(random, BACKGROUNDS),
    radius: between(0.18, 0.4),
    place: [between(0.3, 0.7), between(0.3, 0.7)],
    speed: [between(-0.25, 0.25), between(-0.25, 0.25)],
    angle: between(-0.5, 0.5),
    spin: between(-0.6, 0.6),
    brightness: between(0.75, 1),
  };
  return { ...scene, ...given };
}

export function oneOf<T>(random: SeededRandom, from: readonly T[]): T {
  return from[Math.floor(random.uniform() * from.length)] as T;
}
