import type { SeededRandom } from '../../../src-main/base/seeded-random.ts';
import { type Background, type Colour, oneOf, type Scene, type Shape } from './scene.ts';

/** The first of each is its plain name. */
export const SHAPE_WORDS: Record<Shape, readonly string[]> = {
  circle: ['circle', 'disc', 'ball', 'round shape'],
  square: ['square', 'box', 'block'],
  triangle: ['triangle', 'three-cornered shape', 'wedge'],
  cross: ['cross', 'plus sign', 'plus'],
  star: ['star', 'five-pointed star', 'starlet'],
  bars: ['bars', 'stripes', 'vertical bars'],
  screen: ['screen', 'window with text', 'computer window'],
};

export const COLOUR_WORDS: Record<Colour, readonly string[]> = {
  red: ['red', 'crimson', 'scarlet'],
  green: ['green', 'emerald'],
  blue: ['blue', 'azure'],
  yellow: ['yellow', 'golden'],
  white: ['white', 'snow-white'],
  magenta: ['magenta', 'pink', 'purple'],
};

export const BACKGROUND_WORDS: Record<Background, readonly string[]> = {
  black: ['a black background', 'darkness', 'plain black'],
  grey: ['a grey background', 'a gray surface', 'plain grey'],
  checkered: ['a checkered background', 'a chessboard', 'a pattern of squares'],
  gradient: ['a gradient background', 'a shaded background', 'a background that goes from dark to bright'],
};

/** The plainest of all phrasings: «a red circle on a checkered background». */
export function plainCaption({ shape, colour, background }: Pick<Scene, 'shape' | 'colour' | 'background'>): string {
  return `${withArticle(shape, `${colour} ${SHAPE_WORDS[shape][0]}`)} on ${BACKGROUND_WORDS[background][0]}`;
}

/** So many ways to say what is seen, the plain one first. */
export function captions(scene: Scene, random: SeededRandom, count = 4): string[] {
  return [plainCaption(scene), ...Array.from({ length: count - 1 }, () => phrased(scene, random))];
}

function phrased({ shape, colour, background }: Scene, random: SeededRandom): string {
  const name = oneOf(random, SHAPE_WORDS[shape]);
  const shade = oneOf(random, COLOUR_WORDS[colour]);
  const behind = oneOf(random, BACKGROUND_WORDS[background]);
  const what = withArticle(shape, `${shade} ${name}`);
  return oneOf(random, [
    `${what} moves over ${behind}`,
    `the picture shows ${what} in front of ${behind}`,
    `${name} in ${shade}, behind it ${behind}`,
    `on ${behind} there is ${what}`,
    `${what}`,
    `a short film of ${what} on ${behind}`,
    `${shade} ${name}, ${behind}`,
  ]);
}

/** Bars are many. */
function withArticle(shape: Shape, words: string): string {
  if (shape === 'bars') return words;
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}
