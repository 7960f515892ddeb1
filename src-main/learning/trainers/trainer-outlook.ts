import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { TrainerKind, TrainerOffer } from '../../../src-preload/contract/learning-trainers.ts';
import { errorView } from '../../base/error-view.ts';
import type { RemoteTrainers } from '../training/remote/remote-trainers.ts';
import type { Forecast, TrainerModel } from '../training/trainer.ts';
import type { OwnTrainers } from './own-trainers.ts';
import { secondsOfStep } from './run-step.ts';

export interface TrainerOutlookOptions {
  own: Pick<OwnTrainers, 'forecast'>;
  /** Those of the other nodes of this node's owner; undefined where it has no way to them. */
  others: Pick<RemoteTrainers, 'offers'> | undefined;
  /** Of a model's file, 64 hex. */
  sha256: (modelPath: string) => Promise<string>;
}

/** What a training would take, by each kind of trainer: nothing is begun, and none takes the place of another. */
export class TrainersOutlook {
  readonly #options: TrainerOutlookOptions;

  constructor(options: TrainerOutlookOptions) {
    this.#options = options;
  }

  /** @returns of others, those that are connected */
  async offers(trainer: TrainerKind, model: Pick<TrainerModel, 'modelPath' | 'settings'>): Promise<TrainerOffer[]> {
    const { own, others, sha256 } = this.#options;
    if (trainer !== 'paired') return [await ownOffer(own.forecast(trainer, model))];
    const found = others ? await others.offers(await sha256(model.modelPath), model.settings) : [];
    return found.map((offer) => {
      const { name: node } = offer;
      return 'error' in offer ? unable(offer.error, node) : able(offer.forecast, node);
    });
  }
}

async function ownOffer(forecast: Promise<Forecast>): Promise<TrainerOffer> {
  try {
    return able(await forecast, null);
  } catch (error) {
    return unable(error, null);
  }
}

function able(forecast: Forecast, node: string | null): TrainerOffer {
  return { node, forecast: { memory: forecast.memory, secondsPerStep: secondsOfStep(forecast) }, error: null };
}

/** Why one cannot. */
export function unable(error: unknown, node: string | null): TrainerOffer {
  return { node, forecast: null, error: errorView(QuarryError.from(error)) };
}
