import type { WeightsView } from '../../../src-preload/contract/validator.ts';
import type { Figure, LabelledValue } from '../../server/figures.ts';
import type { LastWeights } from './last-weights.ts';
import type { RunControl } from './run-control.ts';
import type { WeightKeeper } from './weight-keeper.ts';

export interface FigureNeeds {
  control: Pick<RunControl, 'view' | 'beatAt' | 'askedByModel' | 'isRunning'>;
  keeper: Pick<WeightKeeper, 'view'>;
  last: Pick<LastWeights, 'read' | 'age'>;
}

/** The figures of a validator: those of Affine under its names (its sheet, A12), and Quarry’s own. */
export function validatorFigures({ control, keeper, last }: FigureNeeds): readonly Figure[] {
  const read = async () => (control.isRunning ? last.read() : undefined);
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
    { name: 'cache', help: 'Seconds since results were counted last.', read: () => last.age / 1_000 },
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
        const { answered, failed, notReached } = control.view();
        return { answered, failed: failed + notReached };
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

const scores = ({ miners }: WeightsView): LabelledValue[] =>
  miners.flatMap(({ samples }) =>
    samples.map(({ miner, environment, mean }) => ({ labels: { uid: miner, env: environment }, value: mean })),
  );

/** Who is as good has the same place. */
export function ranks({ miners, environments }: Pick<WeightsView, 'miners' | 'environments'>): LabelledValue[] {
  const samples = Map.groupBy(
    miners.flatMap((miner) => miner.samples),
    ({ environment }) => environment,
  );
  return environments.flatMap((env) => {
    const sorted = [...(samples.get(env) ?? [])].sort((a, b) => b.mean - a.mean);
    let place = 1;
    return sorted.map(({ miner, mean }, at) => {
      if (mean !== sorted[at - 1]?.mean) place = at + 1;
      return { labels: { uid: miner, env }, value: place };
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
