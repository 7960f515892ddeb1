import { MOST_CLOSENESS } from '../../../../clips/models/files/model-manifest.ts';
import type { SpaceThresholds } from '../../../../clips/models/space-thresholds.ts';

/** OMEGA's own, for ImageBind (B2 and B5 of its fact sheet), which knows no closest. Those of other models have to be measured. */
export const IMAGEBIND: SpaceThresholds = { same: 0.95, novel: 0.1, unrelated: 0.12, closest: MOST_CLOSENESS };
