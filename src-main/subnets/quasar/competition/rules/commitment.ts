import { sha256 } from '../../../../base/sha256.ts';
import { taggedBytes } from '../../../../base/signing.ts';
import type { Track } from './verdict.ts';

/** All that a commitment binds. */
export interface Committed {
  /** ss58 of who commits, and alone can reveal. */
  hotkey: string;
  track: Track;
  /** Of the artefact’s bytes, 64 hex. */
  sha256: string;
  /** What it aims at, and is measured at. */
  tokens: number;
  /** The round that was open when it was made. */
  round: number;
  /** 32 bytes that nobody can guess, 64 hex: without them a known artefact could be found by trying. */
  salt: string;
}

/** SHA-256 of the tag `quarry-commitment-1`, a newline and the fields as RFC 8785 JSON; 64 hex. */
export function commitmentOf({ hotkey, track, sha256: artefact, tokens, round, salt }: Committed): string {
  const bytes = taggedBytes('quarry-commitment-1', { hotkey, track, sha256: artefact, tokens, round, salt });
  return sha256(bytes).toString('hex');
}

/** A submission’s id, out of what is known when it is committed: nobody can choose it, and everybody can reckon it again; 32 hex. */
export function submissionId(of: { server: string; hotkey: string; commitment: string }): string {
  const { server, hotkey, commitment } = of;
  const bytes = taggedBytes('quarry-submission-1', { server, hotkey, commitment });
  return sha256(bytes).toString('hex').slice(0, 32);
}
