import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import type { SampleView, WeighedView, WeighRequest, WeightsView } from '../../../src-preload/contract/validator.ts';
import { Slices } from '../../base/slices.ts';
import type { MinerHotkey } from '../../store/results/miner-hotkeys.ts';
import type { ResultsDb } from '../../store/results/results-db.ts';
import type { Counted } from '../../store/results/score-means.ts';
import type { AskedIn, MinerMean } from '../../store/results/score-tally.ts';
import { meanInterval, meanOfMeans } from '../../validation/interval.ts';
import { compared, NO_RESULTS } from '../../validation/scoring/comparison.ts';
import { explain, explainSets } from '../../validation/scoring/explain.ts';
import { PRESETS, type Preset, sharesOf } from '../../validation/scoring/presets.ts';
import { namesApart, type SubnetPlace, sinceOf, weighResults } from '../../validation/scoring/weigh-results.ts';
import type { Scoring, Weighed } from '../../validation/scoring/weights.ts';

/** How a miner does in an environment. */
function sampleView(of: MinerMean): SampleView {
  const { environment, version, level, miner, count, mean } = of;
  return { environment, version, level, miner, count, mean, ...meanInterval(of) };
}

export interface WeighedBy {
  /** Whose results count. */
  signers: readonly string[];
  /** Looks which of them count. Default: all do. */
  sift?: Counted['sift'];
  /** What counts, each in one way. Default: everything, with what was asked in several ways named apart. */
  asked?: readonly AskedIn[] | undefined;
  /** Default: everybody is one. */
  isCandidate?: (miner: string) => boolean;
  /** What the chain says of a miner now. Default: nothing. */
  standingOf?: ((miner: string) => SubnetPlace | undefined) | undefined;
  /** Which hotkeys stand for miners that results name otherwise. Default: none. */
  hotkeys?: readonly MinerHotkey[];
  /** What sounds count of all with the constants of OMEGA. Default: as usual with them. */
  soundsShare?: number | undefined;
}

/** What the results come to, with turns for others in between. @throws BAD_REQUEST with the field `preset` or `environments` */
export async function weights(
  results: Pick<ResultsDb, 'means'>,
  { since, environments: wanted, preset: name, layers, burn }: WeighRequest,
  { signers, sift, asked, isCandidate, standingOf = () => undefined, hotkeys = [], soundsShare }: WeighedBy,
): Promise<WeightsView> {
  const preset = presetOf(name, soundsShare);
  const means = apart(await results.means(since, { signers, asked, sift }));
  const ofMiners = Map.groupBy(means, ({ miner }) => miner);
  const counted = asked?.map(({ environment }) => environment) ?? (wanted && named(wanted, means));
  const scoring = await weighResults(means, { environments: counted, isCandidate, standingOf, preset, layers, burn });
  const hotkeyOf = new Map(hotkeys.map(({ miner, hotkey }) => [miner, hotkey]));
  const { environments, growing } = scoring;
  const slices = new Slices();
  const miners = await slices.map(scoring.miners, (weighed) => {
    const samples = (ofMiners.get(weighed.miner) ?? [])
      .filter(({ environment }) => environments.includes(environment))
      .map(sampleView);
    return {
      ...weighed,
      hotkey: hotkeyOf.get(weighed.miner) ?? null,
      samples,
      overall: overall(samples),
      reasons: explain(weighed, scoring).map((text) => told({ text })),
      ofSets: explainSets(weighed, scoring).map((text) => told({ text })),
      ...won(weighed, scoring),
    };
  });
  miners.sort(inOrder);
  const rivalOf = rivals(means, { environments, preset, standingOf });
  const [first, second] = miners;
  const ranked = await slices.map(miners, (one) => ({
    ...one,
    rival: rivalOf(one.miner, (one === first ? second : first)?.miner),
  }));
  return { preset: preset.name, environments, growing, miners: ranked };
}

function presetOf(wanted: string | undefined, soundsShare: number | undefined): Preset {
  const preset = wanted === undefined ? PRESETS[0] : PRESETS.find(({ name }) => name === wanted);
  if (preset?.compares === 'shares' && soundsShare !== undefined) return { ...preset, shares: sharesOf(soundsShare) };
  if (preset) return preset;
  const hint = say('validation.presets', { names: PRESETS.map(({ name }) => name) });
  const message = say('validation.noPreset', { name: wanted ?? '' });
  throw new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'preset' });
}

const overall = (samples: readonly SampleView[]) => ({
  count: samples.reduce((sum, { count }) => sum + count, 0),
  ...meanOfMeans(samples),
});

/** The environments in which it wins alone, and how many sets of each size it wins, or shares. */
function won({ miner, points }: Weighed, { winners }: Scoring): Pick<WeighedView, 'wins' | 'sets'> {
  const own = winners.filter((winner) => winner.miner === miner);
  const wins = own.filter(({ environments }) => environments.length === 1).flatMap(({ environments }) => environments);
  return { wins, sets: points.map((_, at) => own.filter(({ environments }) => environments.length === at + 1).length) };
}

type Placed = Pick<WeighedView, 'miner' | 'weight' | 'isEligible' | 'overall'>;

/** The order is whole: rows do not jump. */
function inOrder(a: Placed, b: Placed): number {
  return (
    b.weight - a.weight ||
    Number(b.isEligible) - Number(a.isEligible) ||
    b.overall.mean - a.overall.mean ||
    (a.miner < b.miner ? -1 : 1)
  );
}

/** How a miner does beside another one. */
function rivals(
  means: readonly MinerMean[],
  {
    environments,
    preset,
    standingOf,
  }: Required<Pick<WeighedBy, 'standingOf'>> & { environments: readonly string[]; preset: Preset },
) {
  const since = (miner: string, own: readonly MinerMean[]) => standingOf?.(miner)?.since ?? sinceOf(own);
  const counted = means.filter(({ environment }) => environments.includes(environment));
  const ofMiners = Map.groupBy(counted, ({ miner }) => miner);
  const samplesOf = (own: readonly MinerMean[]) =>
    environments.map((name) => own.find(({ environment }) => environment === name) ?? NO_RESULTS);
  return (miner: string, rival: string | undefined): WeighedView['rival'] => {
    const [own, others] = [ofMiners.get(miner), ofMiners.get(rival ?? '')];
    if (!own || !others || rival === undefined) return null;
    const words = compared(samplesOf(own), samplesOf(others), preset);
    return {
      miner: rival,
      wasFirst: since(rival, others) < since(miner, own),
      compared: environments.map((environment, at) => ({ environment, is: words[at] ?? 'even' })),
    };
  };
}

/** How each miner does. @param since Unix milliseconds @param signers whose results count */
export async function stats(
  results: Pick<ResultsDb, 'means'>,
  since: number,
  signers: readonly string[],
): Promise<SampleView[]> {
  return apart(await results.means(since, { signers })).map(sampleView);
}

/** A mean under the name that tells it from others, with what the environment is called. */
type NamedMean = MinerMean & { plain: string };

function apart(means: readonly MinerMean[]): NamedMean[] {
  const nameOf = namesApart(means);
  return means.map((mean) => ({ ...mean, plain: mean.environment, environment: nameOf(mean) }));
}

/** `sat` are all ways in which it was asked; `sat (easy)` is one. */
function named(wanted: readonly string[], means: readonly NamedMean[]): string[] {
  const ways = Map.groupBy(means, ({ plain }) => plain);
  return wanted.flatMap((name) => ways.get(name)?.map(({ environment }) => environment) ?? [name]);
}
