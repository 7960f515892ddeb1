import type { Command } from 'commander';
import { registerCalibrateAudit } from './audits.ts';
import { registerCalibrateClips } from './data/calibrate.ts';

/** `quarry calibrate`: what this computer measures before it goes by it. */
export function registerCalibrate(program: Command): void {
  const calibrate = program.command('calibrate').description('measure what this computer goes by');
  registerCalibrateAudit(calibrate);
  registerCalibrateClips(calibrate);
}
