import { QuarryError, type QuarryErrorData, type QuarryErrorInit } from '../../../../src-preload/contract/errors.ts';
import type { Taken } from '../../../../src-preload/contract/focus.ts';
import { CHUNK_KEY_HEADER, CHUNK_PATH } from '../../../../src-preload/contract/focus-limits.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { ignoring } from '../../../api/ignoring.ts';
import type { SentChunk } from './chunk-sender.ts';

/** A node that takes longer than this for one chunk has gone away. */
const PATIENCE_MS = 30_000;

/** Hands one chunk over to the node. @throws QuarryError as the node names it; whatever `fetch` throws while the node is away */
export async function handOver(token: string, { part, chunk, activity, bytes }: SentChunk): Promise<Taken> {
  const told = Object.entries({ part, chunk, ...activity }).filter(([, value]) => value !== null);
  const query = new URLSearchParams(told.map(([name, value]) => [name, String(value)]));
  const response = await fetch(`${CHUNK_PATH}?${query}`, {
    method: 'POST',
    headers: { [CHUNK_KEY_HEADER]: token, 'content-type': 'application/octet-stream' },
    body: bytes,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (response.ok) return (await response.json()) as Taken;
  throw new QuarryError(await errorOf(response));
}

async function errorOf(response: Response): Promise<QuarryErrorInit> {
  const told = (await response.json().catch(ignoring('its status says what happened'))) as QuarryErrorData | undefined;
  if (typeof told?.code === 'string') return told;
  const code = response.status === 401 ? 'UNAUTHORIZED' : 'NOT_RUNNING';
  return { code, message: say('login.answered', { status: String(response.status) }), retryable: true };
}
