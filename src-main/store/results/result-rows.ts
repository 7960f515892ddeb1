import type { Insertable, Selectable } from 'kysely';
import type { ResultRow } from './results-tables.ts';
import type { SignedResult } from './signed-result.ts';

export interface StoredResult extends SignedResult {
  id: number;
}

/** A result as the table has it. */
export function rowOf(result: SignedResult): Insertable<ResultRow> {
  const { environmentVersion, challengeId, success, latencyMs, createdAt, payloadSha256, ...same } = result;
  return {
    ...same,
    environment_version: environmentVersion,
    challenge_id: challengeId,
    success: success ? 1 : 0,
    latency_ms: latencyMs,
    created_at: createdAt,
    payload_sha256: payloadSha256,
  };
}

export function resultOf(row: Selectable<ResultRow>): StoredResult {
  const { environment_version, challenge_id, success, latency_ms, created_at, payload_sha256, ...same } = row;
  return {
    ...same,
    environmentVersion: environment_version,
    challengeId: challenge_id,
    success: success === 1,
    latencyMs: latency_ms,
    createdAt: created_at,
    payloadSha256: payload_sha256,
  };
}
