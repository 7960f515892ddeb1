import { IconAlertTriangle, IconArrowBarUp, IconCheck, IconClock, IconRulerOff } from '@tabler/icons-react';
import type {
  AuditCalibrationView,
  AuditMeasureName,
  CalibrationRun,
  WorkerAuditView,
} from '../../../../src-preload/contract/audits.ts';
import type { State } from '../../../components/state.ts';

export const MEASURES = ['top', 'chosen', 'mismatches'] as const satisfies readonly AuditMeasureName[];

/** Tokens below which nobody is judged: the least that a threshold is for. */
export const LEAST_TOKENS = 32;

/**
 * What is to be said of a worker with a file: it was found out; it is above what honest ones come to, and will be judged when the next answer is looked at; nothing
 * speaks against it; too little was looked at; its file is not calibrated here.
 */
export type Verdict = 'found' | 'above' | 'clean' | 'early' | 'unjudged';

export const VERDICT_LOOKS = {
  found: { state: 'error', icon: IconAlertTriangle },
  above: { state: 'pause', icon: IconArrowBarUp },
  clean: { state: 'good', icon: IconCheck },
  early: { state: 'wait', icon: IconClock },
  unjudged: { state: 'idle', icon: IconRulerOff },
} as const satisfies Record<Verdict, { state: State; icon: unknown }>;

type Means = Pick<WorkerAuditView, AuditMeasureName | 'tokens'>;
export type Thresholds = AuditCalibrationView['thresholds'][number];

/** The means that count for so many tokens: of the largest number that is reached. Undefined below the least. */
export function thresholdsAt(
  calibration: Pick<AuditCalibrationView, 'thresholds'> | undefined,
  tokens: number,
): Thresholds | undefined {
  return calibration?.thresholds.findLast((each) => each.tokens <= tokens);
}

export function verdictOf(
  audit: Means & Pick<WorkerAuditView, 'finding'>,
  calibration: Pick<AuditCalibrationView, 'thresholds'> | undefined,
): Verdict {
  if (audit.finding) return 'found';
  if (!calibration) return 'unjudged';
  const limits = thresholdsAt(calibration, audit.tokens);
  if (!limits) return 'early';
  return MEASURES.some((measure) => audit[measure] > limits[measure]) ? 'above' : 'clean';
}

/** How many workers there are, whatever files they declare, how many of them were found out, and how many could be judged. */
export function countsOf(judged: readonly { audit: Pick<WorkerAuditView, 'worker'>; verdict: Verdict }[]) {
  const workersOf = (verdicts: readonly Verdict[]) =>
    new Set(judged.filter(({ verdict }) => verdicts.includes(verdict)).map(({ audit }) => audit.worker)).size;
  return {
    workers: new Set(judged.map(({ audit }) => audit.worker)).size,
    found: workersOf(['found']),
    judged: workersOf(['found', 'above', 'clean']),
  };
}

export function isUnderWay(run: CalibrationRun | null): boolean {
  return run?.state === 'loading' || run?.state === 'running';
}
