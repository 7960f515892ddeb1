import type { SavedAdapter } from '../adapter/adam-w.ts';
import type { ModelShape } from '../model/shape.ts';
import type { TrainerSettings, TrainingSample } from '../trainer.ts';

/** What the trainer's process asks of its page, beside `begin` (a PageDevice), `check`, `step`, `score` and `saved`. The page asks for weights, by the names of WeightSource's methods. */

/** With `open`. */
export interface PageModel extends SavedAdapter {
  shape: ModelShape;
  settings: TrainerSettings;
  keep: { weights: boolean; passed: boolean };
}

/** With `step`. */
export interface PageStep {
  samples: readonly TrainingSample[];
  rate: number;
}
