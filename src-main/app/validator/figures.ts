import type { WeightsView } from '../../../src-preload/contract/validator.ts';
import type { Figure, LabelledValue } from '../../server/figures.ts';
import type { RunControl } from './run-control.ts';
import type { WeightKeeper } from './weight-keeper.ts';
import { type WeightsInForceNeeds, weightsInForce } from './weights-in-force.ts';

export interface FigureNeeds extends WeightsInForceNeeds {
  control: Pick<RunControl, 'view' | 'beatAt' | 'askedByModel' | 'isRunning'>;
  keeper: Pick<WeightKeeper, 'view'>;
}

/** Milliseconds for which weights are not reckoned again: that reads every result. */
const FRESH_MS = 60_000;

/** The figures of a validator: those of Affine under its names (its sheet, A12), and Quarry’s own. */
export function validatorFigures({ control, keeper, ...needs }: FigureNeeds): readonly Figure[] {
  let known: { at: number; weights: Promise<WeightsView> } | undefined;
  const read = async (): Promise<WeightsView | undefined> => {
    if (!control.isRunning) return undefined;
    if (!known || performance.now() - known.at > FRESH_MS) {
      known = { at: performance.now(), weights: weightsInForce(needs) };
    }
    return known.weights;
  };
  const each = async (of: (view: WeightsView) => LabelledValue[]) => {
    const view = await read();
    return view ? of(view) : [];
  };
  return [
    {
      name: 'qcount_total',
      help: 'Challenges that were asked, by the model that the miner says it has.',
      kind: 'total',
      label: 'model',
      read: () => control.askedByModel,
    },
    {
      name: 'score',
      help: 'Mean score of a miner in an environment.',
      labels: ['uid', 'env'],
      read: () => each(scores),
    },
    {
      name: 'rank',
      help: 'Place of a miner in an environment by its mean score; the best has 1.',
      labels: ['uid', 'env'],
      read: () => each(ranks),
    },
    {
      name: 'weight',
      help: 'Weight of a miner, 0 to 1.',
      labels: ['uid'],
      read: () => each(({ miners }) => miners.map(({ miner, weight }) => ({ labels: { uid: miner }, value: weight }))),
    },
    {
      name: 'maxenv',
      help: 'Best mean score in an environment.',
      labels: ['env'],
      read: () => each(best),
    },
    {
      name: 'nresults',
      help: 'Results that count.',
      read: async () =>
        (await read())?.miners.flatMap(({ samples }) => samples).reduce((n, { count }) => n + count, 0) ?? 0,
    },
    {
      name: 'lastset',
      help: 'When weights were set last, in Unix time; NaN where that was not since the start.',
      read: () => (keeper.view().setAt ?? Number.NaN) / 1_000,
    },
    { name: 'cache', help: 'Seconds since results were counted last.', read: () => age(known?.at) },
    { name: 'quarry_validator_running', help: '1 while miners are asked.', read: () => Number(control.isRunning) },
    {
      name: 'quarry_validator_in_flight',
      help: 'Challenges that are being asked.',
      read: () => control.view().inFlight,
    },
    {
      name: 'quarry_validator_miners',
      help: 'Miners that can be asked.',
      read: () => control.view().minerCount,
    },
    {
      name: 'quarry_validator_challenges_total',
      help: 'Challenges since the validator began, by whether an answer came.',
      kind: 'total',
      label: 'outcome',
      read: () => {
        const { answered, failed } = control.view();
        return { answered, failed };
      },
    },
    {
      name: 'quarry_validator_trouble',
      help: '1 while something keeps the validator from going on, from judging, or from setting weights.',
      read: () => Number(control.view().fault !== null || keeper.view().fault !== null),
    },
    {
      name: 'quarry_validator_heartbeat_seconds',
      help: 'When the validator went on last, in Unix time; NaN while it does not run.',
      read: () => (control.beatAt ?? Number.NaN) / 1_000,
    },
  ];
}

const age = (at: number | undefined) => (at === undefined ? Number.NaN : (performance.now() - at) / 1_000);

const scores = ({ miners }: WeightsView): LabelledValue[] =>
  miners.flatMap(({ samples }) =>
    samples.map(({ miner, environment, mean }) => ({ labels: { uid: miner, env: environment }, value: mean })),
  );

function ranks({ miners, environments }: WeightsView): LabelledValue[] {
  const samples = miners.flatMap((miner) => miner.samples);
  return environments.flatMap((env) => {
    const means = samples.filter(({ environment }) => environment === env);
    return means.map(({ miner, mean }) => {
      const ahead = means.filter((other) => other.mean > mean).length;
      return { labels: { uid: miner, env }, value: ahead + 1 };
    });
  });
}

function best({ miners, environments }: WeightsView): LabelledValue[] {
  const samples = miners.flatMap((miner) => miner.samples);
  return environments.map((env) => {
    const means = samples.filter(({ environment }) => environment === env).map(({ mean }) => mean);
    return { labels: { env }, value: Math.max(0, ...means) };
  });
}
