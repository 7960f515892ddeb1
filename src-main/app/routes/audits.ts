import type { AuditsPart } from '../parts/audits.ts';
import type { Core } from '../parts/core.ts';
import type { Domain } from './implementer.ts';

/** The contract's `audits`. */
export function auditsRoutes({ os, named }: Domain<'audits'>, audits: AuditsPart, { until }: Pick<Core, 'until'>) {
  return {
    calibrate: os.calibrate.handler(({ signal }) => named(audits.calibrate(until(signal)))),
    calibrations: os.calibrations.handler(() => audits.calibrations()),
    list: os.list.handler(({ input }) => audits.list(input.limit)),
    report: os.report.handler(({ input }) => audits.report(input)),
    repeat: os.repeat.handler(({ input, signal }) => audits.repeat(input.report, until(signal))),
  };
}
