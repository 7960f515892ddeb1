import { EngineSlot } from '../../inference/host/engine-slot.ts';
import type { ModelLibrary } from '../../models/library/library.ts';
import { createBackend } from '../engine/inference-backend.ts';
import { LocalUse } from '../engine/local-use.ts';
import type { Core } from './core.ts';

/** What runs models for this node. */
export interface EnginePart {
  /** The engine's place; it may be empty. */
  readonly slot: EngineSlot;
  /** For people of this machine, whether or not the node mines. */
  readonly localUse: LocalUse;
}

/** A place for the engine, empty at first. */
export function openEngine({ config, ports, log, onClose }: Core, { library }: { library: ModelLibrary }): EnginePart {
  const slot = new EngineSlot(() => createBackend({ config, library, spawner: ports.spawner, log }));
  library.protect(() => slot.engine?.modelPath);
  onClose(() => slot.close());
  const localUse = new LocalUse({ engine: slot });
  onClose(() => localUse.close());
  return { slot, localUse };
}
