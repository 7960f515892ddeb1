import { randomBytes } from 'node:crypto';
import { sha256 } from '../../base/sha256.ts';
import { NO_BODY, SIGNED_HEADERS, signedText } from './signed-text.ts';

/** A hotkey that is open. */
export interface RequestSigner {
  /** ss58 */
  readonly address: string;
  /** sr25519, 64 bytes. */
  sign(message: Uint8Array): Promise<Uint8Array>;
}

export interface RequestToSign {
  tag: string;
  /** ss58 of the server’s own hotkey. */
  server: string;
  method: string;
  /** With its query. */
  path: string;
  body?: Uint8Array | undefined;
  /** Unix milliseconds. */
  timestamp: number;
}

/** The headers with which a request is let in, once. */
export async function signRequest(
  signer: RequestSigner,
  { body, ...request }: RequestToSign,
): Promise<Record<string, string>> {
  const bodySha256 = body ? sha256(body).toString('hex') : NO_BODY;
  const nonce = randomBytes(16).toString('hex');
  const hotkey = signer.address;
  const text = signedText({ ...request, hotkey, bodySha256, nonce });
  return {
    [SIGNED_HEADERS.hotkey]: hotkey,
    [SIGNED_HEADERS.timestamp]: String(request.timestamp),
    [SIGNED_HEADERS.nonce]: nonce,
    [SIGNED_HEADERS.body]: bodySha256,
    [SIGNED_HEADERS.signature]: Buffer.from(await signer.sign(Buffer.from(text))).toString('hex'),
  };
}
