/** A key that signs and shows nothing of itself: a hotkey that is open, or a coldkey for the length of one call. */
export interface Signer {
  /** ss58 with the prefix 42. */
  readonly address: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** An sr25519 signature of 64 bytes, in Substrate's signing context. */
  sign(message: Uint8Array): Promise<Uint8Array>;
}
