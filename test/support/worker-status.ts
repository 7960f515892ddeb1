import type { Status } from '../../src-main/mesh/inference/messages.ts';
import { type EvidenceBody, signEvidence } from '../../src-main/mesh/transport/envelope.ts';
import type { Identity } from '../../src-main/mesh/transport/identity.ts';

/** What a worker says of itself that has nothing to do. */
export const IDLE_STATUS: EvidenceBody<Status> = {
  type: 'status',
  seq: 0,
  ready: true,
  health: { score: 100, state: 'idle', capacity: 100 },
  queue: { waiting: 0, running: 0, parallel: 4, capacity: 10 },
  points: 0,
  tier: 'newcomer',
  models: [{ name: 'm', contextSize: 4_096 }],
};

/** {@link IDLE_STATUS} with other words, signed by the worker. @param now milliseconds since 1970 */
export function workerStatus(identity: Identity, words: Partial<EvidenceBody<Status>>, now = Date.now()): Status {
  return signEvidence<Status>({ ...IDLE_STATUS, ...words }, identity, now);
}
