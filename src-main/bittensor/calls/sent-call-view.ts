import type { SentCall } from '../../../src-preload/contract/chain.ts';
import { QuarryError, type QuarryErrorData } from '../../../src-preload/contract/errors.ts';
import { errorView } from '../../base/error-view.ts';
import type { SentCallRow } from '../../store/bittensor/sent-calls.ts';

/** A call as the contract tells of it. */
export function sentCallView(row: SentCallRow): SentCall {
  const { id, at, network, action, state, signer, target, netuid, moves, fee, hash, block } = row;
  const [error, refusal] = [row.error, row.refusal].map(keptError);
  return {
    ...{ id, at, network, action, state, netuid, moves, fee, hash, block },
    from: signer,
    to: target,
    ...(error && { error }),
    ...(refusal && { refusal }),
  };
}

const keptError = (json: string | null) =>
  json === null ? undefined : errorView(new QuarryError(JSON.parse(json) as QuarryErrorData));
