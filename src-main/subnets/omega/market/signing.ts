import { taggedBytes } from '../../../base/signing.ts';
import type { Submit } from './wire.ts';

/** Who signs, and what; header names are as HTTP has them, small. */
export const SIGNED_HEADERS = {
  /** ss58 of the hotkey that signs. */
  hotkey: 'x-quarry-hotkey',
  /** Unix milliseconds. */
  timestamp: 'x-quarry-timestamp',
  /** 32 hex, another with every request. */
  nonce: 'x-quarry-nonce',
  /** SHA-256 of the body, 64 hex; of nothing where there is none. */
  body: 'x-quarry-body-sha256',
  /** sr25519, 128 hex. */
  signature: 'x-quarry-signature',
} as const;

/** A request is good for so long, before and after its timestamp by the market’s clock. */
export const SIGNED_FOR_MS = 60_000;
/** SHA-256 of nothing. */
export const NO_BODY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export interface SignedRequest {
  /** ss58 of the market’s own hotkey: a request to one market is none to another. */
  market: string;
  hotkey: string;
  method: string;
  /** With everything after it: `/market/1/offers?before=3`. */
  path: string;
  bodySha256: string;
  timestamp: number;
  nonce: string;
}

/** The text of which a hotkey signs the UTF-8 bytes: a tag, and a line for each of these (A12.3 of the fact sheet on QUASAR). */
export function signedText({ market, hotkey, method, path, bodySha256, timestamp, nonce }: SignedRequest): string {
  return ['quarry-market-1', market, hotkey, method, path, bodySha256, timestamp, nonce].join('\n');
}

/** What is signed of a score card, and what it is good for: this file, and the end of this chain. */
export interface ScoreCardClaim extends Pick<Submit, 'sha256'> {
  scoreCard: Pick<Submit['scoreCard'], 'version' | 'score' | 'at' | 'task'>;
  chain: Pick<Submit['chain'], 'link'>;
}

/** The bytes that a seller’s node signs (ed25519) of a score card. */
export function scoreCardBytes({ sha256, scoreCard: { version, score, at, task }, chain }: ScoreCardClaim): Buffer {
  return taggedBytes('quarry-market-score-2', { sha256, link: chain.link, version, score, at, task: task ?? null });
}
