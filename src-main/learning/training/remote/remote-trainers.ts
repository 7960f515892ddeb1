import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { Forecast, Trainer, TrainerSettings } from '../trainer.ts';
import type { Channel } from './channel.ts';
import { faultOf } from './exchange.ts';
import { hostMessageSchema, type Opening } from './messages.ts';
import { Nonsense } from './nonsense.ts';
import { RemoteTrainer, type RemoteTrainerOptions } from './remote-trainer.ts';
import { errorOf, lost, nonsense } from './why.ts';
import { fromWire } from './wire-forecast.ts';

/** Milliseconds in which a node says what a training would take there. */
const ASK_MS = 15_000;

/** A node of the same owner: its id, and what it is called. */
export interface OtherNode {
  node: string;
  name: string;
}

export interface RemoteTrainersOptions extends Pick<RemoteTrainerOptions, 'sha256' | 'check' | 'mostBytes'> {
  /** Those that are connected. */
  nodes: () => OtherNode[];
  /** Calls one. @throws NOT_RUNNING when it is away */
  dial: (node: string) => Channel;
  /** Milliseconds in which one answers. Default 15,000. */
  askMs?: number;
}

/** What a node says of a training: what it would take there, or why it cannot be done there. */
export type Offer = OtherNode & ({ forecast: Forecast } | { error: QuarryError });

/** Trainers on the other nodes of this node's owner. */
export class RemoteTrainers {
  readonly #options: RemoteTrainersOptions;

  constructor(options: RemoteTrainersOptions) {
    this.#options = options;
  }

  /**
   * Asks all that are connected. Nothing of the training is sent but its settings.
   * @param sha256 of the model's GGUF file, 64 hex
   */
  async offers(sha256: string, settings: TrainerSettings): Promise<Offer[]> {
    return await Promise.all(
      this.#options.nodes().map(async (other): Promise<Offer> => {
        try {
          return { ...other, forecast: await this.#ask(other, sha256, settings) };
        } catch (error) {
          return { ...other, error: QuarryError.from(error) };
        }
      }),
    );
  }

  /** Those that could train it now, see {@link offers}. */
  async available(sha256: string, settings: TrainerSettings): Promise<(OtherNode & { forecast: Forecast })[]> {
    return (await this.offers(sha256, settings)).filter((offer) => 'forecast' in offer);
  }

  /** @param how see `RemoteTrainerOptions` */
  create(node: string, how: Pick<RemoteTrainerOptions, 'onTraffic' | 'returnMs'> = {}): Trainer {
    const { nodes, dial, sha256, check, mostBytes } = this.#options;
    const name = nodes().find((other) => other.node === node)?.name ?? '';
    return new RemoteTrainer({ name, dial: () => dial(node), sha256, check, mostBytes, ...how });
  }

  async #ask({ node, name }: OtherNode, model: string, settings: TrainerSettings): Promise<Forecast> {
    const { dial, askMs = ASK_MS } = this.#options;
    const channel = dial(node);
    const { promise, resolve, reject } = Promise.withResolvers<Forecast>();
    const timer = setTimeout(() => reject(lost(name)), askMs);
    channel.onMessage((message) => {
      const { success, data, error } = hostMessageSchema.safeParse(message);
      if (!success) reject(nonsense(name, new Nonsense(faultOf(error))));
      else if (data.type === 'forecast') resolve(fromWire(data));
      else if (data.type === 'failure') reject(errorOf(data.why, name));
      else reject(nonsense(name, new Nonsense('no forecast')));
    });
    channel.onClose(() => reject(lost(name)));
    const ask: Opening = { type: 'ask', model, settings: { ...settings, modules: [...settings.modules] } };
    channel.send(ask);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      channel.close();
    }
  }
}
