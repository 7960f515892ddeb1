import { ropeOf } from '../../../inference/host/local-options.ts';
import type { OtherEngines } from '../../../mesh/serving/queue/other-engines.ts';
import type { ModelLibrary } from '../../../models/library/library.ts';
import { OfferedModels } from '../../engine/offered-models.ts';
import type { ModelFits } from '../../models/model-fits.ts';
import type { Core } from '../core.ts';
import type { EnginePart } from '../engine.ts';

/** What a miner offers the mesh beside its own model. */
export interface OfferedPart {
  readonly models: OtherEngines;
  /** Tells the one who tells the mesh when that may have changed. */
  follow(onChange: () => void): void;
  /** The own model is another now: looks at once. */
  look(): void;
}

export interface OfferedNeeds {
  library: ModelLibrary;
  fits: Pick<ModelFits, 'beside'>;
  engine: EnginePart;
}

/** @returns undefined where a person does not want it, or models run elsewhere */
export function openOffered(
  { config, log, onClose }: Core,
  { library, fits, engine }: OfferedNeeds,
): OfferedPart | undefined {
  const { slot, others, loadTimes: times } = engine;
  if (!others || !config.mesh.otherModels) return undefined;
  let changed = () => {};
  const offered = new OfferedModels({
    ...{ library, fits, others, times, log },
    own: () => slot.current,
    computed: { kvCache: config.kvCache, rope: ropeOf(config.rope) },
    onChange: () => changed(),
  });
  onClose(() => offered.close());
  offered.open();
  return {
    models: offered,
    follow(onChange) {
      changed = onChange;
    },
    look: () => offered.open(),
  };
}
