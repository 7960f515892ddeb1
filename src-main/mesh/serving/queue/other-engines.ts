import type { Answering } from '../../../inference/backend.ts';
import type { ServedModel } from '../../transport/messages.ts';

/** An engine that keeps its model in memory until this is disposed of, and a while longer. */
export interface EngineInUse extends Disposable {
  readonly backend: Answering;
}

/** Models beside a worker's own with which it would answer, each by an engine of its own. */
export interface OtherEngines {
  /** Those that it offers now, as hello and status tell them: those in memory first, then the quickest. Its own is none of them. */
  offered(): readonly ServedModel[];
  /** Name of the one that is being loaded now, whoever asked for it. */
  readonly loading: string | undefined;
  /**
   * Loads one, if it is not in memory; what somebody uses stays there.
   *
   * @param onRoom called once it is certain that there is memory for it, before it is loaded; not where it is in memory, or on its way
   * @throws MODEL_NOT_FOUND; OUT_OF_MEMORY where it has no room; what loading throws; CANCELLED, though it is loaded then all the same
   */
  begin(name: string, signal: AbortSignal, onRoom: () => void): Promise<EngineInUse>;
}

/** A worker with its own model alone. */
export const NO_OTHER_ENGINES: OtherEngines = {
  offered: () => [],
  loading: undefined,
  begin: () => Promise.reject(new Error('A worker without other models is asked for none.')),
};
