import type { InferenceBackend } from '../../inference/backend.ts';
import type { EngineSlot } from '../../inference/host/engine-slot.ts';
import type { OtherModels } from './other-models.ts';

/** All engines together that answer on this machine: the one of the node's own model, and those of other models beside it. */
export class MachineEngines {
  readonly #own: Pick<EngineSlot, 'current' | 'asked'>;
  readonly #others: Pick<OtherModels, 'loaded' | 'asked'> | undefined;

  constructor(own: Pick<EngineSlot, 'current' | 'asked'>, others: Pick<OtherModels, 'loaded' | 'asked'> | undefined) {
    this.#own = own;
    this.#others = others;
  }

  /** Those that are there, the own one first. */
  get all(): InferenceBackend[] {
    return [this.#own.current ?? [], this.#others?.loaded ?? []].flat();
  }

  /** Requests that they answer, and that wait for one of them. */
  get load(): { active: number; waiting: number } {
    const all = this.all.map((engine) => engine.status());
    const sum = (of: 'active' | 'waiting') => all.reduce((total, status) => total + status[of], 0);
    return { active: sum('active'), waiting: sum('waiting') };
  }

  /** Answers that they were asked for so far. */
  get asked(): number {
    return this.#own.asked + (this.#others?.asked ?? 0);
  }

  /** The one whose model has a name; undefined while none has. */
  named(name: string): InferenceBackend | undefined {
    return this.all.find((engine) => engine.status().model?.name === name);
  }

  /** What the GPUs are seen through; undefined while none has loaded its model. */
  get ready(): InferenceBackend | undefined {
    return this.all.find((engine) => engine.engine && engine.status().state === 'ready');
  }
}
