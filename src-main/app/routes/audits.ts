import type { Core } from '../parts/core.ts';
import type { AuditsPart } from '../parts/mesh/audits.ts';
import type { Domain } from './implementer.ts';

/** The contract's `audits`. */
export function auditsRoutes({ os, named }: Domain<'audits'>, audits: AuditsPart, { until }: Pick<Core, 'until'>) {
  return {
    watch: os.watch.handler(({ signal }) => named(audits.watch(until(signal)))),
    calibrate: os.calibrate.handler(() => audits.calibration.begin()),
    cancelCalibration: os.cancelCalibration.handler(() => audits.calibration.cancel()),
    calibrations: os.calibrations.handler(() => audits.calibrations()),
    list: os.list.handler(({ input }) => audits.list(input.limit)),
    report: os.report.handler(({ input }) => named(audits.report(input))),
    bring: os.bring.handler(({ input }) => audits.bring(input.at, input.text)),
    brought: os.brought.handler(({ signal }) => audits.brought(until(signal))),
    repeat: os.repeat.handler(({ signal }) => named(audits.repeat(until(signal)))),
    discard: os.discard.handler(() => audits.discard()),
  };
}
