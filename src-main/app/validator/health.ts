import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { faultOf } from './fault.ts';
import type { RunControl } from './run-control.ts';
import type { WeightKeeper } from './weight-keeper.ts';

export interface ValidatorHealthNeeds {
  control: Pick<RunControl, 'view' | 'beatAt' | 'isRunning'>;
  keeper: Pick<WeightKeeper, 'view'>;
  /** What kept it from beginning when the node started; undefined where it began, or was not to. */
  notBegun: () => QuarryError | undefined;
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
}

/** What is told by `/healthz`; nothing where no miners are asked. */
export type ValidatorHealth = {
  ok?: boolean;
  validator?: 'failed' | 'running' | 'stopping';
  /** Seconds since it went on last. */
  validatorSecondsStill?: number;
  validatorFault?: string | undefined;
  weightsFault?: string;
};

/**
 * Milliseconds without a step after which somebody has to look. Longer than a run takes to be begun anew by itself, and than a database or a chain is
 * away that is started again.
 */
const STILL_MS = 15 * 60_000;

/**
 * How a validator is. It is not well when it was to begin and could not, and when nothing went on for a quarter of an hour, whatever the reason. What it
 * gets over by itself, or what concerns some miners alone, is a detail; and so is what keeps weights from being set, as too few results do for days.
 */
export function validatorHealth({ control, keeper, notBegun, now = Date.now }: ValidatorHealthNeeds): ValidatorHealth {
  const failed = notBegun();
  if (failed && !control.isRunning) return { ok: false, validator: 'failed', validatorFault: faultOf(failed)?.text };
  const { status, fault } = control.view();
  if (status === 'stopped') return {};
  const { beatAt } = control;
  const weights = keeper.view().fault?.text;
  return {
    ok: beatAt === undefined || now() - beatAt < STILL_MS,
    validator: status,
    ...(beatAt !== undefined && { validatorSecondsStill: Math.max(0, Math.round((now() - beatAt) / 1_000)) }),
    ...(fault && { validatorFault: fault.text }),
    ...(weights !== undefined && { weightsFault: weights }),
  };
}
