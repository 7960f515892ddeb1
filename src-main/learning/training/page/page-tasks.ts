import type { SavedAdapter } from '../adapter/adam-w.ts';
import type { ModelShape } from '../model/shape.ts';
import type { TrainerSettings } from '../trainer.ts';

/** What the trainer's process asks of its page, beside `check`, `step`, `score` and `saved`. The page asks for weights, by the names of WeightSource's methods. */

/** Answer to `begin`: what WebGPU gives the page. */
export interface PageDevice {
  /** «apple metal-3»; empty where the browser tells nothing. */
  name: string;
  /** It computes on the processor, and is of use for tests alone. */
  isSoftware: boolean;
  /** Multiplications and additions a second that were measured. */
  flops: number;
}

/** With `open`. */
export interface PageModel extends SavedAdapter {
  shape: ModelShape;
  settings: TrainerSettings;
  keep: { weights: boolean; passed: boolean };
}
