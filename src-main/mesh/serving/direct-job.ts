import type { ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import { EventQueue } from '../../base/event-queue.ts';
import { costOf } from '../../credits/price.ts';
import { type Answer, Job, type JobOptions, type Piece, type Place } from './queue/job.ts';

/** A piece of an answer, and after the last one how it went, and the name of the model that gave it: another may have been loaded meanwhile. */
export type DirectEvent = Piece | { type: 'done'; result: GenerateResult; model: string };

export interface DirectJobOptions extends JobOptions {
  place: Place;
  /** It has ended. @param credits that its answer would have cost on the mesh, as far as it came; 0 when the engine was not asked */
  onEnd: (credits: number) => void;
}

/** A request of another part of this node, which has its own way of being paid: nothing is booked, and its answer stays in this process. */
export class DirectJob extends Job {
  /** Pieces as they come, whoever reads them how slowly; then the end, or the error. */
  readonly events = new EventQueue<DirectEvent>();
  readonly #place: Place;
  readonly #onEnd: (credits: number) => void;

  constructor({ place, onEnd, ...options }: DirectJobOptions) {
    super(options);
    this.#place = place;
    this.#onEnd = onEnd;
  }

  get isNewcomer(): boolean {
    return this.#place.isNewcomer;
  }

  async fund(): Promise<Place> {
    return this.#place;
  }

  waits(): void {}

  async room(): Promise<void> {}

  send(piece: Piece): void {
    this.events.push(piece);
  }

  deliver({ result, model }: Answer): void {
    this.#onEnd(costOf(result));
    this.events.push({ type: 'done', result, model });
    this.events.end();
  }

  refuse(error: QuarryError): void {
    this.#onEnd(this.started ? costOf({ completionTokens: this.streamed }) : 0);
    this.events.fail(error);
  }

  async release(_code: ErrorCode): Promise<void> {}
}
