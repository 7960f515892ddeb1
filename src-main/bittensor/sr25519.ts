import { sr25519Sign, sr25519Verify, waitReady } from '@polkadot/wasm-crypto';

// By WebAssembly: a check takes 0.4 ms, where util-crypto's own, in JavaScript, takes 7 to 12, and it throws for most that is no signature.

/** Before the first signature. @throws where WebAssembly does not start */
export async function signaturesReady(): Promise<void> {
  if (!(await waitReady())) throw new Error('The WebAssembly of signatures does not start.');
}

/** @param key both halves as polkadot.js has them: 32 bytes, and 64 expanded as ed25519 does */
export function sign(message: Uint8Array, { publicKey, secretKey }: { publicKey: Uint8Array; secretKey: Uint8Array }) {
  return sr25519Sign(publicKey, secretKey, message);
}

/**
 * Whether a message was signed as it is: the wrapped form that browsers sign is not tried.
 * @param signature 64 bytes
 * @param publicKey 32 bytes. The one of zeros is nobody's, and anybody can sign for it
 */
export function verify(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  return publicKey.some((byte) => byte !== 0) && sr25519Verify(signature, message, publicKey);
}
