import type { Unclaimed } from '../rules/shares.ts';

/** How one competition is held, as it is set. */
export interface CompetitionTerms {
  /** Hours that a round is open. */
  hours: number;
  blocksUntilReveal: number;
  unclaimed: Unclaimed;
  /** Submissions that count in one round: of one hotkey, and of all. */
  perHotkey: number;
  perRound: number;
  /** Bytes of artefacts that are kept: of one hotkey, and of all. */
  bytesPerHotkey: number;
  bytes: number;
}

export const HOUR_MS = 3_600_000;
