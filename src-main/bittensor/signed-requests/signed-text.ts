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

/** A request is good for so long, before and after its timestamp by the server’s clock. */
export const SIGNED_FOR_MS = 60_000;
/** SHA-256 of nothing. */
export const NO_BODY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export interface SignedRequest {
  /** For what kind of server it is: `quarry-market-1`. */
  tag: string;
  /** ss58 of the server’s own hotkey: a request to one server is none to another. */
  server: string;
  hotkey: string;
  method: string;
  /** With everything after it: `/market/1/offers?before=3`. */
  path: string;
  bodySha256: string;
  timestamp: number;
  nonce: string;
}

/** The text of which a hotkey signs the UTF-8 bytes: a line for each of these (A12.3 of the fact sheet on QUASAR). */
export function signedText({ tag, server, hotkey, method, path, bodySha256, timestamp, nonce }: SignedRequest): string {
  return [tag, server, hotkey, method, path, bodySha256, timestamp, nonce].join('\n');
}
