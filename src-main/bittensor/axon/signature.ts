import { publicKeyOf } from '../address.ts';
import { signaturesReady, verify } from '../sr25519.ts';

/** Hotkeys whose public keys are at hand. */
const KEYS = 4_096;

/** Checks signatures of hotkeys. */
export class SignatureCheck {
  /** Of hotkeys that have signed: nobody else can push them out. */
  readonly #keys = new Map<string, Uint8Array>();

  static async open(): Promise<SignatureCheck> {
    await signaturesReady();
    return new SignatureCheck();
  }

  /** @param address ss58 of who is said to have signed. Of one that is none nothing is right */
  isRight(text: string, signature: Uint8Array, address: string): boolean {
    const key = this.#keys.get(address) ?? keyOf(address);
    const isRight = key !== undefined && verify(Buffer.from(text), signature, key);
    if (isRight) this.#keep(address, key);
    return isRight;
  }

  #keep(address: string, key: Uint8Array): void {
    this.#keys.delete(address);
    this.#keys.set(address, key);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > KEYS && oldest !== undefined) this.#keys.delete(oldest);
  }
}

function keyOf(address: string): Uint8Array | undefined {
  try {
    return publicKeyOf(address);
  } catch {
    return undefined; // what is no address has signed nothing
  }
}
