/** The parts of sodium-native that backups and wallet files use; it ships without types. */
declare module 'sodium-native' {
  const sodium: {
    crypto_pwhash_ALG_ARGON2ID13: number;
    crypto_pwhash_ALG_ARGON2I13: number;
    crypto_secretbox_KEYBYTES: number;
    crypto_secretbox_MACBYTES: number;
    crypto_secretbox_NONCEBYTES: number;
    crypto_pwhash_SALTBYTES: number;
    crypto_secretstream_xchacha20poly1305_ABYTES: number;
    crypto_secretstream_xchacha20poly1305_HEADERBYTES: number;
    crypto_secretstream_xchacha20poly1305_STATEBYTES: number;
    crypto_secretstream_xchacha20poly1305_TAG_MESSAGE: number;
    crypto_secretstream_xchacha20poly1305_TAG_FINAL: number;
    crypto_pwhash(
      output: Buffer,
      password: Buffer,
      salt: Buffer,
      opslimit: number,
      memlimit: number,
      algorithm: number,
    ): void;
    crypto_generichash(output: Buffer, input: Buffer, key: Buffer): void;
    crypto_secretstream_xchacha20poly1305_init_push(state: Buffer, header: Buffer, key: Buffer): void;
    crypto_secretstream_xchacha20poly1305_push(
      state: Buffer,
      cipher: Buffer,
      message: Buffer,
      ad: null,
      tag: number,
    ): number;
    crypto_secretstream_xchacha20poly1305_init_pull(state: Buffer, header: Buffer, key: Buffer): void;
    /** @throws where the piece is not what was written */
    crypto_secretstream_xchacha20poly1305_pull(
      state: Buffer,
      message: Buffer,
      tag: Buffer,
      cipher: Buffer,
      ad: null,
    ): number;
    crypto_secretbox_easy(cipher: Buffer, message: Buffer, nonce: Buffer, key: Buffer): void;
    /** Whether it was written with this key. */
    crypto_secretbox_open_easy(message: Buffer, cipher: Buffer, nonce: Buffer, key: Buffer): boolean;
    sodium_memzero(buffer: Buffer): void;
  };
  export default sodium;
}
