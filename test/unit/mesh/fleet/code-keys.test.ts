import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { CodeKeys } from '../../../../src-main/mesh/fleet/code-keys.ts';
import { pairingCode } from '../../../../src-preload/contract/pairing-code.ts';

const binding = { handshakeHash: Buffer.alloc(64, 7), host: 'a'.repeat(64), guest: 'b'.repeat(64) };
const code = pairingCode(randomBytes(21));
const keys = new CodeKeys(code);

it('both sides come to the same place and the same proofs, however the code was typed', () => {
  const typed = new CodeKeys(code.toLowerCase().replaceAll('-', ' '));
  expect(typed.meeting).toBe(keys.meeting);
  expect(keys.isProof(typed.proof('request', binding), 'request', binding)).toBe(true);
});

it('another code has another place, and no proof of it counts', () => {
  const other = new CodeKeys(pairingCode(randomBytes(21)));
  expect(other.meeting).not.toBe(keys.meeting);
  expect(keys.isProof(other.proof('request', binding), 'request', binding)).toBe(false);
});

it('a proof counts for one word, one connection and one pair of nodes', () => {
  const proof = keys.proof('request', binding);
  expect(keys.isProof(proof, 'accept', binding), 'reflected').toBe(false);
  expect(keys.isProof(proof, 'refuse', binding)).toBe(false);
  const elsewhere = { ...binding, handshakeHash: Buffer.alloc(64, 8) };
  expect(keys.isProof(proof, 'request', elsewhere), 'replayed on another connection').toBe(false);
  expect(keys.isProof(proof, 'request', { ...binding, guest: 'c'.repeat(64) })).toBe(false);
  expect(keys.isProof(proof, 'request', { ...binding, host: binding.guest, guest: binding.host })).toBe(false);
});
