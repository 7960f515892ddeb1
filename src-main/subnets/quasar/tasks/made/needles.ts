import { DEPTH_BANDS, type DepthBand } from '../../../../../src-preload/contract/evaluation-numbers.ts';
import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import { type ContextTask, madeTasks } from '../context-task.ts';
import { NEEDLE_KINDS, type Needle, type NeedleKind, needleOf } from './needle-kinds.ts';
import { asked } from './text/asked.ts';
import { aShare, branches } from './text/branches.ts';
import { placeIn } from './text/depth-bands.ts';
import { passage } from './text/passage.ts';

/** One sentence in a haystack, by its kind and how deep it lies. */
export const needle = madeTasks({
  name: 'needle',
  version: '1',
  variants: NEEDLE_KINDS.flatMap((kind) => DEPTH_BANDS.map((band) => `${kind}, ${band}`)),
  leastWords: 100,
  *steps(random, variant, words) {
    const [kind, band] = variant.split(', ') as [NeedleKind, DepthBand];
    const draws = branches(random);
    const hidden = needleOf(draws('needle'), kind);
    const insertion = { text: hidden.sentence, ...placeIn(band, aShare(draws('place')), words) };
    const { context, depths } = yield* passage(draws('filler'), words, [insertion]);
    return [askedFor(hidden, { dataset: 'needle', variant, context, depth: depths[0] })];
  },
});

/** A needle in each band of one haystack, all of a kind, so that they have to be told apart. Each is asked for. */
export const needles = madeTasks({
  name: 'needles',
  version: '1',
  variants: NEEDLE_KINDS,
  leastWords: 200,
  *steps(random, variant, words) {
    const draws = branches(random);
    const hidden = needlesOf(draws('needles'), variant as NeedleKind);
    const places = draws('places');
    const insertions = hidden.map(({ sentence: text }, at) => ({
      text,
      ...placeIn(DEPTH_BANDS[at] as DepthBand, aShare(places), words),
    }));
    const { context, depths } = yield* passage(draws('filler'), words, insertions);
    return hidden.map((each, at) => askedFor(each, { dataset: 'needles', variant, context, depth: depths[at] }));
  },
});

/**
 * What is compared between texts of several lengths: the same needle at the same depth, the same question, and the shorter text's filler is what the longer one's begins
 * with. Whoever asks makes it from one seed at each length.
 */
export const scaling = madeTasks({
  name: 'scaling',
  version: '1',
  variants: [''],
  leastWords: 100,
  *steps(random, variant, words) {
    const draws = branches(random);
    const hidden = needleOf(draws('needle'), 'number');
    const share = 0.1 + 0.8 * aShare(draws('place'));
    const { context, depths } = yield* passage(draws('filler'), words, [{ text: hidden.sentence, at: share * words }]);
    return [askedFor(hidden, { dataset: 'scaling', variant, context, depth: depths[0] })];
  },
});

/** One for each band, none with another's value. */
function needlesOf(random: SeededRandom, kind: NeedleKind): Needle[] {
  const drawn = new Map<string, Needle>();
  while (drawn.size < DEPTH_BANDS.length) {
    const one = needleOf(random, kind);
    drawn.set(one.value, one);
  }
  return [...drawn.values()];
}

const askedFor = (
  { question, form, answer }: Needle,
  where: Pick<ContextTask, 'dataset' | 'variant' | 'context' | 'depth'>,
): ContextTask => ({ ...where, prompt: asked(where.context, question, form), ...answer });
