import type { EngineSlot } from '../../inference/host/engine-slot.ts';
import { declaredFile } from '../../inference/verified/declared-file.ts';
import {
  noModel,
  notCalibrated,
  type ReferenceSource,
} from '../../subnets/quasar/verification/inference-environment.ts';
import type { Reference } from '../../subnets/quasar/verification/verify.ts';

export interface ReferenceModelNeeds {
  /** Undefined where this node has none. */
  engine:
    | { slot: Pick<EngineSlot, 'current'>; localUse: { begin(signal?: AbortSignal): Promise<Disposable> } }
    | undefined;
  /** What honest probes of a quantised file come to; undefined where that was not measured. */
  thresholds: (sha256: string) => Promise<Reference['thresholds']>;
}

/** This node's model, as what miners say is compared with it. */
export class ReferenceModel implements ReferenceSource {
  readonly #needs: ReferenceModelNeeds;
  #known: ReferenceSource['known'];

  constructor(needs: ReferenceModelNeeds) {
    this.#needs = needs;
  }

  get known(): ReferenceSource['known'] {
    const { model } = this.#needs.engine?.slot.current?.status() ?? {};
    const sha256 = model && declaredFile(model);
    if (sha256 && model.vocabulary) this.#known = { sha256, vocabulary: model.vocabulary };
    return this.#known;
  }

  /** @throws ENGINE_UNAVAILABLE where there is none, BAD_REQUEST where it is quantised and was not calibrated; what loading throws */
  async use(signal?: AbortSignal): Promise<Reference & Disposable> {
    const { engine, thresholds } = this.#needs;
    if (!engine) throw noModel();
    const inUse = await engine.localUse.begin(signal);
    try {
      const backend = engine.slot.current;
      const { model } = backend?.status() ?? {};
      const sha256 = model && declaredFile(model);
      if (!backend?.probe || !sha256 || !model.vocabulary) throw noModel();
      const { vocabulary, unquantised } = model;
      const honest = unquantised ? undefined : await thresholds(sha256);
      if (!unquantised && !honest) throw notCalibrated();
      const probe = backend.probe.bind(backend);
      return { sha256, vocabulary, thresholds: honest, probe, [Symbol.dispose]: () => inUse[Symbol.dispose]() };
    } catch (error) {
      inUse[Symbol.dispose]();
      throw error;
    }
  }
}
