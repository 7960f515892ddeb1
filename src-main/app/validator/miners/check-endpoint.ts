import type { Logger } from 'pino';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { MinerCheck } from '../../../../src-preload/contract/validator-run.ts';
import type { Endpoint } from '../../../store/results/endpoints.ts';
import { EndpointMiners } from './endpoint-miners.ts';

/** Also a model that has to be loaded first answers in that time, mostly. */
const PATIENCE_MS = 60_000;
const QUESTION = { id: 'check', prompt: 'Answer with yes.', ask: { kind: 'text' }, maxTokens: 8 } as const;

export interface CheckOptions {
  log: Logger;
  /** Ends it. Default: nothing does */
  signal?: AbortSignal | undefined;
  /** Milliseconds. Default 60,000 */
  patienceMs?: number;
}

/**
 * Asks a miner at an address of its own something small, by the way of a challenge but without a result.
 * @throws DEADLINE where it takes too long; else what kept it from answering
 */
export async function checkEndpoint(
  endpoint: Endpoint,
  { log, signal, patienceMs = PATIENCE_MS }: CheckOptions,
): Promise<MinerCheck> {
  const miners = new EndpointMiners({ list: async () => [endpoint], log });
  const late = AbortSignal.timeout(patienceMs);
  try {
    const [miner] = await miners.miners();
    if (!miner) throw miners.fault;
    const begun = performance.now();
    const ending = signal ? AbortSignal.any([signal, late]) : late;
    await miner.ask({ ...QUESTION, timeoutMs: 2 * patienceMs, signal: ending });
    return { model: miner.model, ms: Math.round(performance.now() - begun) };
  } catch (error) {
    throw late.aborted ? tooLate(patienceMs) : error;
  } finally {
    await miners.close();
  }
}

const tooLate = (patienceMs: number) =>
  new QuarryError({
    code: 'DEADLINE',
    message: say('validation.endpoint.silent', { seconds: Math.ceil(patienceMs / 1_000) }),
    retryable: true,
  });
