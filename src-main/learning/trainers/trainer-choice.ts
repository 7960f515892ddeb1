import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say, wordsOf } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import { Later } from '../runs/learning-queue.ts';
import type { OtherNode, RemoteTrainers } from '../training/remote/remote-trainers.ts';
import type { Forecast, Trainer, TrainerModel } from '../training/trainer.ts';
import type { OwnTrainer, OwnTrainers } from './own-trainers.ts';
import { secondsOfStep } from './run-step.ts';

export interface TrainerChoiceOptions {
  /** The setting `learning.trainer`. */
  which: () => OwnTrainer | 'paired';
  own: Pick<OwnTrainers, 'hasTorch' | 'forecast' | 'create'>;
  /** Those of the other nodes of this node's owner; undefined where it has no way to them. */
  others: Pick<RemoteTrainers, 'offers' | 'create'> | undefined;
  /** Of a model's file, 64 hex. */
  sha256: (modelPath: string) => Promise<string>;
  /** Ends what is trained here for another node. */
  makeRoom: () => Promise<void>;
  /** For what PyTorch is handed. */
  work: string;
  log: Logger;
  /** Milliseconds. Default performance.now. */
  now?: () => number;
}

type Wanted = Pick<TrainerModel, 'modelPath' | 'settings'>;
type Chosen = OwnTrainer | OtherNode;
type Able = OtherNode & { forecast: Forecast };

/** Milliseconds for which another node is taken rather than one that was lost while it trained: that one may hang again, and what it foresees is its own word. */
const PASS_OVER_MS = 30 * 60_000;

/**
 * Which trainer a run gets, by the setting. Where none of the sort that is set can be had now, the run waits and says what for, and nothing else takes its place: whoever
 * has set `paired` wants this computer spared, and what was sampled is kept.
 */
export class TrainerChoice {
  readonly #options: TrainerChoiceOptions;
  /** The other node that was chosen last; undefined where that was this one. */
  #node: string | undefined;
  /** When another node was lost. */
  readonly #lost = new Map<string, number>();

  constructor(options: TrainerChoiceOptions) {
    this.#options = options;
  }

  /**
   * Looks whether a run could be trained now, before anything is done for it.
   * @throws Later where it can be had later; UNSUPPORTED; OUT_OF_MEMORY with what would fit, and where
   */
  async check(model: Wanted): Promise<void> {
    await this.#choose(model);
  }

  /** One that is not open. @throws as {@link check} */
  async create(model: Wanted): Promise<Trainer> {
    const { own, others, makeRoom, work, log } = this.#options;
    const chosen = await this.#choose(model);
    this.#node = typeof chosen === 'string' ? undefined : chosen.node;
    log.info(typeof chosen === 'string' ? { trainer: chosen } : { trainer: 'paired', node: chosen.node }, 'learning');
    if (typeof chosen !== 'string' && others) return others.create(chosen.node);
    await makeRoom();
    return await own.create(chosen as OwnTrainer, work);
  }

  /**
   * Another node that went away while it trained, or wants its time for itself, may be there again later: then the run waits for that.
   * @param error what a run with the trainer that was made last has failed with
   * @returns other errors as they are
   */
  laterIfAway(error: unknown): unknown {
    if (!(error instanceof QuarryError) || !error.retryable) return error;
    if (error.code !== 'WORKER_LOST' && error.code !== 'OVERLOADED') return error;
    if (error.code === 'WORKER_LOST' && this.#node !== undefined) this.#lost.set(this.#node, this.#now());
    return new Later(say('trainers.away', { why: wordsOf(error, 'message') }));
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }

  /** Whether it was lost lately. */
  #isLost({ node }: OtherNode): boolean {
    const at = this.#lost.get(node);
    return at !== undefined && this.#now() - at < PASS_OVER_MS;
  }

  async #choose(model: Wanted): Promise<Chosen> {
    const { which, own } = this.#options;
    const wanted = which();
    if (wanted === 'paired') return await this.#other(model);
    if (wanted === 'torch' && !(await own.hasTorch())) throw new Later(say('trainers.noTorch'));
    try {
      await own.forecast(wanted, model);
      return wanted;
    } catch (error) {
      throw QuarryError.from(error).code === 'OUT_OF_MEMORY' ? await this.#elsewhere(error, wanted, model) : error;
    }
  }

  /** The fastest of those that can, by what they say; one that was lost lately only where no other can. */
  async #other(model: Wanted): Promise<OtherNode> {
    const offers = await this.#offers(model);
    if (offers.length === 0) throw new Later(say('trainers.noneThere'));
    const able = fastest(offers.filter((offer) => 'forecast' in offer));
    const best = able.find((offer) => !this.#isLost(offer)) ?? able[0];
    if (best) return best;
    const whys = offers.flatMap((offer) => ('error' in offer ? [wordsOf(offer.error, 'message')] : []));
    throw new Later(say('trainers.noneCan', { whys }));
  }

  /** It does not fit here: who could do it instead. */
  async #elsewhere(error: unknown, wanted: OwnTrainer, model: Wanted): Promise<QuarryError> {
    const { code, message, hint = '', said } = QuarryError.from(error);
    const ways = [said?.hint ?? hint, ...(await this.#byTorch(wanted, model)), ...(await this.#byOthers(model))];
    return new QuarryError(
      { code, message: said?.message ?? message, hint: ways.length > 1 ? say('mesh.whatHelps', { ways }) : ways[0] },
      { cause: error },
    );
  }

  async #byTorch(wanted: OwnTrainer, model: Wanted): Promise<Saying[]> {
    const { own } = this.#options;
    if (wanted === 'torch' || !(await own.hasTorch())) return [];
    const forecast = await own.forecast('torch', model).catch(ignoring('then it is no way out'));
    return forecast ? [say('trainers.torchCould', { seconds: secondsOfStep(forecast) })] : [];
  }

  async #byOthers(model: Wanted): Promise<Saying[]> {
    const offers = await this.#offers(model).catch(ignoring('what went wrong first counts'));
    const [best] = fastest(offers?.filter((offer) => 'forecast' in offer) ?? []);
    return best ? [say('trainers.nodeCould', { name: best.name, seconds: secondsOfStep(best.forecast) })] : [];
  }

  async #offers({ modelPath, settings }: Wanted) {
    const { others, sha256 } = this.#options;
    return others ? await others.offers(await sha256(modelPath), settings) : [];
  }
}

function fastest(offers: readonly Able[]): Able[] {
  return offers.toSorted((one, other) => secondsOfStep(one.forecast) - secondsOfStep(other.forecast));
}
