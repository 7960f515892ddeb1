import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { LoadedModel } from '../../../src-preload/contract/models.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { InferenceBackend } from '../../inference/backend.ts';
import type { EngineSlot } from '../../inference/host/engine-slot.ts';
import type { LocalUse } from './local-use.ts';
import type { OtherModels } from './other-models.ts';

export interface LoadedModelsOptions {
  engine: { slot: EngineSlot; localUse: LocalUse; others: OtherModels | undefined } | undefined;
  fits: {
    /** Estimated bytes that a loaded model takes. */
    held(backend: InferenceBackend): Promise<LoadedModel['memory'] | undefined>;
  };
  /** Whether the node serves the mesh with its own model. */
  isMining: () => boolean;
}

/** The models that are in this computer's memory: what they take, when they go, and the way to have them go now. */
export class LoadedModels {
  readonly #options: LoadedModelsOptions;

  constructor(options: LoadedModelsOptions) {
    this.#options = options;
  }

  /** The node's own first. */
  async list(): Promise<LoadedModel[]> {
    const { engine } = this.#options;
    if (!engine) return [];
    const { slot, localUse, others } = engine;
    const own = await this.#loaded(slot.current, { own: true, freesAt: localUse.freesAt });
    const beside = (others?.inMemory ?? []).map(({ backend, freesAt }) =>
      this.#loaded(backend, { own: false, freesAt }),
    );
    return [own, ...(await Promise.all(beside))].filter((model) => model !== undefined);
  }

  /**
   * Takes a model out of memory; one that is not there is none to take out.
   * @throws BAD_REQUEST for the one that the node mines with, and for one that somebody uses
   */
  async free(name: string): Promise<void> {
    const { engine, isMining } = this.#options;
    if (!engine) return;
    if (engine.slot.status().model?.name === name) return await freeOwn(engine.slot, isMining());
    if (engine.others && !(await engine.others.free(name))) throw inUse(name);
  }

  /** Undefined for what is not loaded yet, or computes elsewhere. */
  async #loaded(
    backend: InferenceBackend | undefined,
    { own, freesAt = null }: { own: boolean; freesAt: number | null | undefined },
  ): Promise<LoadedModel | undefined> {
    const { model, active, waiting } = backend?.status() ?? {};
    if (!backend?.engine || !model) return undefined;
    const { name, device, contextSize, parallel } = model;
    const memory = (await this.#options.fits.held(backend)) ?? null;
    return { name, own, memory, device, contextSize, parallel, active: active ?? 0, waiting: waiting ?? 0, freesAt };
  }
}

/** Takes the node's own model out of memory. @throws BAD_REQUEST while the node mines with it */
export async function freeOwn(slot: Pick<EngineSlot, 'close'>, isMining: boolean): Promise<void> {
  if (!isMining) return await slot.close();
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: say('engine.minedWith'),
    hint: say('engine.stopMiningFirst'),
  });
}

function inUse(name: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('engine.inUse', { name }),
    hint: say('engine.freeLater'),
    retryable: true,
  });
}
