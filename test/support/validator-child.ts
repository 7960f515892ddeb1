import pino from 'pino';
import { EndpointMiners } from '../../src-main/app/validator/miners/endpoint-miners.ts';
import { identityFromSeed, verify } from '../../src-main/mesh/transport/identity.ts';
import { ResultsDb } from '../../src-main/store/results/results-db.ts';
import { sat } from '../../src-main/subnets/affine/sat/sat.ts';
import type { Environment } from '../../src-main/validation/environment.ts';
import { ValidatorRun } from '../../src-main/validation/run/validator-run.ts';

/** A validator in a process of its own, which shares a database with others, until it is told to end. */
const [dataDir = '', url = '', place = '0'] = process.argv.slice(2);
const identities = [1, 2, 3].map((byte) => identityFromSeed(Buffer.alloc(32, byte)));
const log = pino({ level: 'warn' }, pino.destination(2));
const results = new ResultsDb({ dataDir, url: url || undefined });
await results.open();
const endpoints = new EndpointMiners({ list: () => results.endpoints.list(), log });
const environments = [{ environment: sat as Environment, level: 'easy' }];
/** A busy machine may take seconds over an answer, and no challenge of these is to fail. */
const patience = { maxTokens: 100, timeoutMs: 5_000, retries: 0 };
const run = new ValidatorRun({
  results,
  miners: () => endpoints.miners(),
  settings: () => ({
    environments,
    concurrency: 6,
    perMiner: 2,
    perHour: 100_000,
    days: 30,
    keepDays: 90,
    trust: identities.map(({ id }) => id),
    ...patience,
  }),
  environmentOf: () => sat as Environment,
  signer: identities[Number(place)] ?? identityFromSeed(Buffer.alloc(32)),
  verify,
  leaseMs: 6_000,
  lapsedMs: 200,
  log,
});
run.open();
process.stdout.write('ready\n');
process.once('SIGTERM', async () => {
  await run.close();
  await endpoints.close();
  await results.close();
});
