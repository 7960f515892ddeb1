import { hexPattern } from '../../../src-preload/contract/limits.ts';
import { type Signer, taggedBytes, type Verify } from '../../base/signing.ts';
import type { Assignment, DrawnAssignment } from '../../store/results/leases.ts';

/** Another one than that of results and of all else: no signature is good for both. */
const TAG = 'quarry-lease-1';
const SIGNATURE = hexPattern(64);

/** An assignment, signed by the validator that drew it. */
export function signAssignment(assignment: Assignment, signer: Signer): DrawnAssignment {
  return { ...assignment, drawnBy: signer.id, signature: signer.sign(signedBytes(assignment)) };
}

/** Whether an assignment is as the validator drew it that it names. A database gives back whatever was written there. Never throws. */
export function isAsDrawn({ drawnBy, signature, ...assignment }: DrawnAssignment, verify: Verify): boolean {
  const { environment, version, level, seed, miner } = assignment;
  const isText = [environment, version, level, seed, miner, drawnBy, signature].every(isWellFormed);
  return isText && SIGNATURE.test(signature) && verify(drawnBy, signedBytes(assignment), signature);
}

/** Of a text with half a character, there is more than one with the same bytes. */
const isWellFormed = (value: unknown) => typeof value === 'string' && value.isWellFormed();

/** Who holds it and until when is not in it: that changes with each who takes it over. */
const signedBytes = ({ environment, version, level, seed, miner }: Assignment) =>
  taggedBytes(TAG, { environment, version, level, seed, miner });
