import { describe, expect, it } from 'vitest';
import { type ValidatorHealthNeeds, validatorHealth } from '../../../../src-main/app/validator/health.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say, told } from '../../../../src-preload/contract/saying.ts';

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const fault = told({ text: say('bittensor.wallet.hotkeyGone') });

interface Told {
  status?: 'stopped' | 'running' | 'stopping';
  /** Minutes since it went on; undefined while it does not run. */
  still?: number;
  fault?: typeof fault;
  weights?: typeof fault;
  notBegun?: QuarryError;
}

function health({ status = 'running', still, fault: of, weights, notBegun }: Told) {
  const control = {
    isRunning: status === 'running',
    beatAt: still === undefined ? undefined : NOW - still * MINUTE_MS,
    view: () => ({ status, fault: of ?? null }),
  } as unknown as ValidatorHealthNeeds['control'];
  const keeper = { view: () => ({ fault: weights ?? null }) } as unknown as ValidatorHealthNeeds['keeper'];
  return validatorHealth({ control, keeper, notBegun: () => notBegun, now: () => NOW });
}

describe('the health of a validator', () => {
  it('is good while it goes on, with how long ago that was', () => {
    expect(health({ still: 0.5 })).toEqual({ ok: true, validator: 'running', validatorSecondsStill: 30 });
  });

  it('is good while something is away that may come back by itself, and names it', () => {
    expect(health({ still: 14, fault, weights: fault })).toEqual({
      ...{ ok: true, validator: 'running', validatorSecondsStill: 840 },
      ...{ validatorFault: fault.text, weightsFault: fault.text },
    });
  });

  it('is bad when nothing went on for a quarter of an hour: the database is away, or the hotkey of all miners', () => {
    expect(health({ still: 15, fault })).toMatchObject({ ok: false, validatorFault: fault.text });
    expect(health({ still: 600 })).toMatchObject({ ok: false, validatorSecondsStill: 36_000 });
  });

  it('is bad when it was to begin with the node and could not', () => {
    const notBegun = new QuarryError({ code: 'CONFIG_INVALID', message: say('bittensor.wallet.hotkeyGone') });
    expect(health({ status: 'stopped', notBegun })).toEqual({
      ...{ ok: false, validator: 'failed', validatorFault: fault.text },
    });
    expect(health({ still: 0, notBegun }).ok).toBe(true);
  });

  it('is nobody’s business where no miners are asked', () => {
    expect(health({ status: 'stopped', weights: fault })).toEqual({});
    expect(health({ status: 'stopping' }).ok).toBe(true);
  });
});
