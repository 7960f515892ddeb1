import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunControl } from '../../../../src-main/app/validator/run-control.ts';
import { identityFromSeed, verify } from '../../../../src-main/mesh/transport/identity.ts';
import { ResultsDb } from '../../../../src-main/store/results/results-db.ts';
import { sat } from '../../../../src-main/subnets/affine/sat/sat.ts';
import type { Environment } from '../../../../src-main/validation/environment.ts';
import type { Miner } from '../../../../src-main/validation/run/miner.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { minerOf } from '../../../support/asked-miner.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';
import { solve } from '../../../support/solver.ts';
import { until } from '../../../support/until.ts';

const right = minerOf('right', async ({ prompt }) => solve(prompt));
const SETTINGS = {
  ...{
    environments: [{ environment: sat as Environment, level: 'easy' }],
    concurrency: 2,
    perMiner: 2,
    perHour: 100_000,
    days: 30,
    keepDays: 90,
    trust: [],
  },
  ...{ maxTokens: 100, timeoutMs: 10_000, retries: 0 },
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let results: ResultsDb;
let control: RunControl;
let closed: number;
beforeEach(async () => {
  folder = await temporaryFolder();
  results = new ResultsDb({ dataDir: folder.path });
  closed = 0;
});
afterEach(async () => {
  await control.stop();
  await results.close();
  await folder.remove();
});

function controlOf(list: () => Promise<Miner[]>, stuckMs?: number): RunControl {
  control = new RunControl({
    results,
    miners: { list, close: async () => void closed++, fault: undefined },
    prepare: async () => {},
    names: () => ['sat'],
    settings: () => SETTINGS,
    environmentOf: () => sat as Environment,
    signer: identityFromSeed(Buffer.alloc(32, 7)),
    verify,
    graceMs: 0,
    ...(stuckMs !== undefined && { stuckMs }),
    log: pino({ level: 'silent' }),
  });
  return control;
}

describe('the run of a node', () => {
  it('begins once, tells how it stands, and can be ended and begun again', async () => {
    controlOf(async () => [right]);
    expect(control.view()).toMatchObject({ status: 'stopped', environments: ['sat'], miners: [] });
    await Promise.all([control.start(), control.start()]);
    await until(() => expect(control.view().answered).toBeGreaterThan(3));
    expect(control.view()).toMatchObject({ status: 'running', minerCount: 1, miners: [{ miner: 'right', failed: 0 }] });
    await control.stop();
    expect([control.view().status, closed]).toEqual(['stopped', 1]);
    await control.start();
    await until(() => expect(control.view().answered).toBeGreaterThan(0));
  });

  it('is begun anew where it does not go on', async () => {
    let looks = 0;
    controlOf(() => (++looks === 1 ? new Promise(() => {}) : Promise.resolve([right])), 200);
    await control.start();
    await until(() => expect(control.view().answered).toBeGreaterThan(0));
    expect(looks).toBeGreaterThan(1);
  });

  it('has not gone on by being begun anew: who looks at its beat sees that it hangs on and on', async () => {
    let looks = 0;
    controlOf(() => (++looks < 4 ? new Promise(() => {}) : Promise.resolve([right])), 100);
    await control.start();
    const began = control.beatAt;
    await until(() => expect(looks).toBe(3));
    expect(control.beatAt).toBe(began);
    await until(() => expect(control.beatAt).toBeGreaterThan(began ?? Number.NaN));
  });

  it('ends with so many answers where it is told to, and is not bound by that when it begins anew', async () => {
    controlOf(async () => [right]);
    await control.start({ answers: 5 });
    await until(() => expect(control.view()).toMatchObject({ answered: 5, inFlight: 0 }));
    await control.stop();
    await control.start();
    await until(() => expect(control.view().answered).toBeGreaterThan(5));
  });

  it('waits for a database that is away, and says so', async () => {
    controlOf(async () => [right]);
    const { open } = results;
    let isAway = true;
    const lost = new QuarryError({ code: 'DATABASE_UNREACHABLE', message: 'It is away.', retryable: true });
    results.open = () => (isAway ? Promise.reject(lost) : open.call(results));
    await control.start();
    await until(() => expect(control.view().fault?.text).toBe('It is away.'));
    isAway = false;
    await until(() => expect(control.view().answered).toBeGreaterThan(0));
    expect(control.view().fault).toBeNull();
  });

  it('does not begin where it cannot', async () => {
    controlOf(async () => []);
    const away = new RunControl({
      results,
      miners: { list: async () => [], close: async () => {}, fault: undefined },
      names: () => ['sat'],
      prepare: async () => Promise.reject(new Error('no database')),
      settings: () => SETTINGS,
      environmentOf: () => undefined,
      signer: identityFromSeed(Buffer.alloc(32, 7)),
      verify,
      log: pino({ level: 'silent' }),
    });
    await expect(away.start()).rejects.toThrow('no database');
    expect(away.view().status).toBe('stopped');
    await away.stop();
  });
});
