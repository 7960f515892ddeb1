import { type Claim, type ClaimBody, isClaimOf, MAX_EVIDENCE, type ToldToken } from '../inference/claim.ts';
import type { EvidenceMessage, Prompt } from '../inference/messages.ts';

/** An answer with what its worker has signed of how it came about: whoever has the model can check it. */
export interface ClaimedAnswer {
  /** As the client has signed it. */
  prompt: Prompt;
  text: string;
  tokens: readonly ToldToken[];
  claim: Claim;
}

/** What comes of an answer's evidence, piece by piece. */
export class EvidenceInbox {
  readonly #most: number;
  #tokens: ToldToken[] = [];

  /** @param maxTokens of the answer, 0: none is wanted */
  constructor(maxTokens: number) {
    this.#most = maxTokens === 0 ? 0 : Math.min(MAX_EVIDENCE, maxTokens + 1);
  }

  /** @returns whether it is the next piece, and no more than there can be */
  take({ start, tokens }: EvidenceMessage): boolean {
    if (start !== this.#tokens.length || start + tokens.length > this.#most) return false;
    this.#tokens.push(...tokens);
    return true;
  }

  /** @returns all of it; undefined where the claim is not about this, or nobody has signed it */
  claimed(claim: Claim, about: Omit<ClaimBody, 'model' | 'evidenceHash'>): readonly ToldToken[] | undefined {
    return this.#tokens.length > 0 && isClaimOf(claim, about, this.#tokens) ? this.#tokens : undefined;
  }
}
