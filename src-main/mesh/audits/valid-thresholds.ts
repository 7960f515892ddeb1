import { keptJson } from '../../base/kept-json.ts';
import { type Calibration, calibrationSchema } from '../../inference/verified/thresholds.ts';
import type { AuditCalibrationRow } from '../../store/mesh/inference-audits.ts';

/**
 * What honest answers of a file come to, as the model computes now. Another device rounds in another way, so that what was measured on one says nothing of how far
 * answers are from what the other reads.
 * @param device that the model runs on now @returns undefined where it was calibrated on none, or on another
 */
export function validThresholds(
  calibration: Pick<AuditCalibrationRow, 'thresholds' | 'device'> | undefined,
  device: string,
): Calibration | undefined {
  if (calibration?.device !== device) return undefined;
  return keptJson(calibration.thresholds, calibrationSchema);
}
