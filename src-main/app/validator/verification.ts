import { setImmediate as aTurn } from 'node:timers/promises';
import {
  MOST_FORGED_SHOWN,
  MOST_SIGNERS_SHOWN,
  type VerifyEvent,
} from '../../../src-preload/contract/validator-results.ts';
import { verify } from '../../mesh/transport/identity.ts';
import type { StoredResult } from '../../store/results/result-rows.ts';
import type { ResultsDb } from '../../store/results/results-db.ts';
import { readResult } from '../../validation/result.ts';

/** A signature takes a fraction of a millisecond: after so many, everybody else gets a turn. */
const TOGETHER = 50;
/** It is told how far it has come each time after so many. */
const TOLD_AFTER = 1_000;

/**
 * Looks whether all results are as their signers left them, the newest first; what comes in meanwhile is left out.
 * @param own the id of this node. @throws what the database throws
 */
export async function* verified(
  results: Pick<ResultsDb, 'export'>,
  own: string,
  signal?: AbortSignal,
): AsyncGenerator<VerifyEvent, void, undefined> {
  const signers = new Map<string, number>();
  const forged: number[] = [];
  let [checked, forgedCount] = [0, 0];
  for await (const result of results.export()) {
    signal?.throwIfAborted();
    checked++;
    if (isGenuine(result)) signers.set(result.signer, (signers.get(result.signer) ?? 0) + 1);
    else if (++forgedCount <= MOST_FORGED_SHOWN) forged.push(result.id);
    if (checked % TOGETHER === 0) await aTurn();
    if (checked % TOLD_AFTER === 0) yield { type: 'checked', checked };
  }
  const most = [...signers].sort(([, a], [, b]) => b - a).slice(0, MOST_SIGNERS_SHOWN);
  const shown = most.map(([signer, count]) => ({ signer, isOwn: signer === own, results: count }));
  yield { type: 'done', checked, signers: shown, signerCount: signers.size, forged, forgedCount };
}

const isGenuine = (result: StoredResult) => readResult(result, verify) !== undefined;
