import { say, told } from '../../../src-preload/contract/saying.ts';
import { GpuNeighbours } from '../../hardware/gpu-neighbours.ts';
import type { OtherGpuUse } from '../../hardware/policy.ts';
import type { Reading } from '../../hardware/reading.ts';
import type { InferenceBackend, MachineEngine } from '../../inference/backend.ts';
import type { EngineSlot } from '../../inference/host/engine-slot.ts';

/**
 * What others take of the GPU is seen through the engine: without one, or when it runs elsewhere, nobody can tell.
 * @param more engines of this node beside it. Default: none
 */
export function otherGpuUse(
  slot: Pick<EngineSlot, 'current' | 'status'>,
  more: () => readonly InferenceBackend[] = () => [],
): () => Promise<Reading<OtherGpuUse>> {
  let seen: { engine: MachineEngine; restarts: number; neighbours: GpuNeighbours } | undefined;
  return async () => {
    const { current } = slot;
    const engine = current?.engine;
    if (!engine || slot.status().state !== 'ready') {
      return told({ reason: say(current && !engine ? 'hardware.engineElsewhere' : 'hardware.noModelLoaded') });
    }
    if (seen?.engine !== engine) {
      seen = { engine, restarts: engine.restarts, neighbours: neighboursOf(engine, more) };
    }
    if (engine.restarts !== seen.restarts) seen.neighbours.rebase(); // while it was gone, its own memory was free
    seen.restarts = engine.restarts;
    return await seen.neighbours.read();
  };
}

function neighboursOf(engine: MachineEngine, more: () => readonly InferenceBackend[]): GpuNeighbours {
  return new GpuNeighbours({
    engineGpus: () => engine.gpus(),
    ownPids: () => [process.pid, ...[engine, ...more().map((each) => each.engine)].flatMap((each) => each?.pid ?? [])],
  });
}
