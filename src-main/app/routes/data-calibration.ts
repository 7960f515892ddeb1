import type { ClipCalibration } from '../../clips/calibration/clip-calibration.ts';
import type { Core } from '../parts/core.ts';
import type { Domain } from './implementer.ts';

/** From where on models call two clips alike, of the contract's `data`. */
export function dataCalibrationRoutes(
  { os, named }: Domain<'data'>,
  calibration: ClipCalibration,
  { until }: Pick<Core, 'until'>,
) {
  return {
    thresholds: os.thresholds.handler(() => calibration.thresholds()),
    calibrate: os.calibrate.handler(({ signal }) => named(calibration.run(until(signal)))),
  };
}
