import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Saying } from '../../../../src-preload/contract/saying.ts';
import { Turns } from '../../../base/turns.ts';
import type { Forecast, Trainer, TrainerSettings } from '../trainer.ts';
import type { Channel } from './channel.ts';
import { faultOf } from './exchange.ts';
import { HostedTraining, type HostPatience } from './hosted-training.ts';
import { type HostMessage, type Opening, type OpenMessage, openingSchema } from './messages.ts';
import { Nonsense } from './nonsense.ts';
import { mostFileBytes } from './saved-files.ts';
import { noTime, Refusal, whyOf } from './why.ts';
import { toWire } from './wire-forecast.ts';

/** Milliseconds in which whoever calls says what he wants. */
const FIRST_MS = 30_000;
const PATIENCE: HostPatience = {
  holdMs: 60_000,
  idleMs: 2 * 3_600_000,
  busyMs: 300_000,
  lookEveryMs: 2_000,
  chunkMs: 60_000,
};

export interface TrainerHostOptions {
  /** For what trainings need on the disk. It is this one's alone: whatever is in it is removed. */
  folder: string;
  /** GGUF file of a model, by the file's SHA-256 (64 hex); undefined where this node has none. */
  modelPath: (sha256: string) => Promise<string | undefined>;
  /** This node's own, not open yet. */
  createTrainer: () => Promise<Trainer>;
  /** What a training would take here. @throws UNSUPPORTED; OUT_OF_MEMORY with what would fit */
  forecast: (modelPath: string, settings: TrainerSettings) => Promise<Forecast>;
  /** Bytes of memory that a training may take. */
  memoryLimit: () => number | Promise<number>;
  /** Bytes that each file of an adapter may have. Default {@link mostFileBytes}. */
  mostBytes?: (modelPath: string) => Promise<number>;
  /** Whether this node trains for others of its owner's at all. */
  isAllowed: () => boolean;
  /** What speaks against it now, beside a training that it does for another node; empty: nothing. */
  mayTrain: () => readonly Saying[];
  log: Logger;
  patience?: Partial<HostPatience>;
}

/** Trains for other nodes of this node's owner: one at a time, when this node has time. Nothing is kept of what they send. A resource. */
export class TrainerHost {
  readonly #options: TrainerHostOptions;
  readonly #patience: HostPatience;
  readonly #channels = new Set<Channel>();
  /** What costs work before it is known whether something comes of it is done one by one. */
  readonly #asked = new Turns();
  #training: HostedTraining | undefined;
  #isOpen = false;
  #count = 0;

  constructor(options: TrainerHostOptions) {
    this.#options = options;
    this.#patience = { ...PATIENCE, ...options.patience };
  }

  /** Trainings that have begun here since the start. */
  get begun(): number {
    return this.#count;
  }

  /** Id of the node that trains here now. */
  get trainsFor(): string | undefined {
    return this.#training?.node;
  }

  /** Removes what one before left that was killed. Idempotent. */
  async open(): Promise<void> {
    if (this.#isOpen) return;
    this.#isOpen = true;
    await rm(this.#options.folder, { recursive: true, force: true });
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#isOpen = false;
    for (const channel of this.#channels) channel.close();
    await this.#training?.end({ reason: 'gone' });
    await this.#asked.ended();
    await rm(this.#options.folder, { recursive: true, force: true });
  }

  /** Ends what is trained here, for this node's own sake: the other node goes on later from what it has. */
  async makeRoom(why: Saying): Promise<void> {
    await this.#training?.end(noTime([why]).why);
  }

  /** Another node calls. */
  take(channel: Channel): void {
    if (!this.#isOpen) {
      channel.close();
      return;
    }
    this.#channels.add(channel);
    const timer = setTimeout(() => this.#hangUp(channel), FIRST_MS);
    let isFirst = true;
    channel.onClose(() => {
      clearTimeout(timer);
      this.#channels.delete(channel);
    });
    channel.onMessage((message) => {
      clearTimeout(timer);
      if (!isFirst) return; // whoever was refused may not know it yet
      isFirst = false;
      this.#hear(channel, message);
    });
  }

  #hear(channel: Channel, message: unknown): void {
    const { success, data, error } = openingSchema.safeParse(message);
    if (!success) this.#refuse(channel, new Nonsense(faultOf(error)));
    else if (data.type === 'ask') void this.#asked.take(() => this.#answer(channel, data));
    else if (data.type === 'resume') this.#resume(channel, data.session);
    else void this.#begin(channel, data);
  }

  async #answer(channel: Channel, { model, settings }: Extract<Opening, { type: 'ask' }>): Promise<void> {
    try {
      if (this.#training) throw new Refusal({ reason: 'busy' });
      const { forecast } = await this.#look(model, settings);
      channel.send({ type: 'forecast', ...toWire(forecast) } satisfies HostMessage);
    } catch (error) {
      this.#refuse(channel, error);
    }
  }

  #resume(channel: Channel, session: string): void {
    const training = this.#training;
    if (training?.node !== channel.node || training.session !== session) {
      this.#refuse(channel, new Refusal({ reason: 'gone' }));
      return;
    }
    this.#channels.delete(channel);
    training.resume(channel);
  }

  async #begin(channel: Channel, open: OpenMessage): Promise<void> {
    // A node that begins anew does not come back to what it had begun before.
    if (this.#training?.node === channel.node && !this.#training.isConnected) await this.#training.end();
    if (this.#training || !this.#isOpen) {
      this.#refuse(channel, new Refusal({ reason: 'busy' }));
      return;
    }
    const { folder, createTrainer, mostBytes = mostFileBytes, mayTrain, log } = this.#options;
    const training = new HostedTraining({
      node: channel.node,
      open,
      folder: join(folder, String(++this.#count)),
      look: async () => (await this.#asked.take(() => this.#look(open.model, open.settings))).modelPath,
      createTrainer,
      mostBytes,
      mayTrain,
      patience: this.#patience,
      onEnd: () => {
        if (this.#training === training) this.#training = undefined;
      },
      log,
    });
    this.#training = training;
    this.#channels.delete(channel);
    log.info({ node: channel.node, model: open.model }, 'another node of this owner trains here');
    training.begin(channel);
  }

  /** @throws Refusal where this node does not train this now; what the forecast throws */
  async #look(model: string, settings: TrainerSettings): Promise<{ modelPath: string; forecast: Forecast }> {
    const { isAllowed, modelPath: find, mayTrain, forecast: foresee, memoryLimit } = this.#options;
    if (!isAllowed()) throw new Refusal({ reason: 'not-allowed' });
    const modelPath = await find(model);
    if (modelPath === undefined) throw new Refusal({ reason: 'no-model' });
    const against = mayTrain();
    if (against.length > 0) throw noTime(against);
    const forecast = await foresee(modelPath, settings);
    const [wants, has] = [forecast.memory, await memoryLimit()];
    if (wants > has) throw new Refusal({ reason: 'no-memory', wants, has });
    return { modelPath, forecast };
  }

  #refuse(channel: Channel, error: unknown): void {
    const { log } = this.#options;
    const why = whyOf(error);
    log.info(
      { node: channel.node, reason: why.reason, ...(why.code === 'INTERNAL' && { err: error }) },
      'no training for another node',
    );
    channel.send({ type: 'failure', n: 0, why, over: true } satisfies HostMessage);
    this.#hangUp(channel);
  }

  #hangUp(channel: Channel): void {
    this.#channels.delete(channel);
    channel.close();
  }
}
