import { sha256 } from '../../../../base/sha256.ts';

/** What is published of a round’s seed when it opens: SHA-256 of its 32 bytes, 64 hex. @param seed 64 hex */
export function seedHash(seed: string): string {
  return sha256(Buffer.from(seed, 'hex')).toString('hex');
}

/**
 * The seed with which one submission is judged: SHA-256 of the 32 bytes of the round’s seed and the 32 digits of the submission’s id, 64 hex. The server was bound
 * to the first before it knew the second.
 */
export function judgingSeed(roundSeed: string, submission: string): string {
  return sha256(Buffer.concat([Buffer.from(roundSeed, 'hex'), Buffer.from(submission, 'utf8')])).toString('hex');
}
