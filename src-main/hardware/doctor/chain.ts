import { say, told, type Words } from '../../../src-preload/contract/saying.ts';
import type { CheckResult } from './check.ts';

/** How the connection with a chain stands. */
export interface ChainFacts {
  network: string;
  status: string;
  specVersion?: number;
  block?: number;
  /** Why there is none. */
  reason?: Words;
}

/** Whether the chain answers, and is not behind. */
export function checkChain({ network, status, specVersion, block, reason }: ChainFacts): CheckResult {
  const name = 'chain';
  if (status === 'connected' || status === 'behind') {
    const where = { network, block: String(block ?? 0), runtime: String(specVersion ?? 0) };
    if (status === 'connected') return { name, status: 'ok', ...told({ found: say('doctor.chain.connected', where) }) };
    return {
      name,
      status: 'warn',
      ...told({ found: say('doctor.chain.behind', where), advice: say('doctor.chain.other') }),
    };
  }
  const found =
    reason === undefined
      ? say('bittensor.chain.unreachable', { network })
      : say('doctor.chain.lost', { network, why: reason });
  return { name, status: 'warn', ...told({ found, advice: say('doctor.chain.look') }) };
}
