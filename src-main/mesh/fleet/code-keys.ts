import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { SECRET_CHARS, typedCode } from '../../../src-preload/contract/pairing-code.ts';

/** Who says what: the node that was given the code asks, the one that has shown it accepts or refuses. */
export type PairingWord = 'request' | 'accept' | 'refuse';

/** What a proof is bound to: one connection of two nodes. */
export interface ProofBinding {
  /** Of the connection's Noise handshake: another connection of the same two has another one. */
  handshakeHash: Uint8Array;
  /** Ids of both, 64 hex. */
  host: string;
  guest: string;
}

/** What follows from a code: where its two nodes meet, and how each shows the other that it knows it. */
export class CodeKeys {
  /** 64 hex: names the place on the DHT. It is visible there; from it nobody finds 105 random bits. */
  readonly meeting: string;
  readonly #key: Buffer;

  /** @param code as it was typed; it has to be free of faults */
  constructor(code: string) {
    const secret = typedCode(code).slice(0, SECRET_CHARS);
    const derive = (label: string) => Buffer.from(hkdfSync('sha256', secret, '', `quarry-pairing-${label}/v2`, 32));
    this.meeting = derive('topic').toString('hex');
    this.#key = derive('proof');
  }

  /** HMAC over the word, the connection and both ids: no use on another connection, and not as another word. */
  proof(word: PairingWord, { handshakeHash, host, guest }: ProofBinding): string {
    const mac = createHmac('sha256', this.#key).update(`quarry-pairing-${word}/v2\n`).update(handshakeHash);
    return mac.update(Buffer.from(host, 'hex')).update(Buffer.from(guest, 'hex')).digest('hex');
  }

  /** Whether the other one knows the code. @param proof 64 hex */
  isProof(proof: string, word: PairingWord, binding: ProofBinding): boolean {
    return timingSafeEqual(Buffer.from(proof, 'hex'), Buffer.from(this.proof(word, binding), 'hex'));
  }
}
