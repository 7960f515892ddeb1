import type { Verify } from '../../base/signing.ts';
import { type Voucher, type VoucherBody, voucherBytes } from '../voucher.ts';
import type { Claims } from './claims.ts';

/** Milliseconds that a voucher is good for. */
export const VOUCHER_MS = 600_000;
/** Milliseconds by which the clocks of two honest nodes may differ. */
export const VOUCHER_SKEW_MS = 120_000;

/** Why a worker does not take a voucher. */
export type VoucherFault = 'party' | 'sum' | 'expired' | 'used' | 'signature' | 'uncovered';

/** What somebody asks a node to vouch for. */
type VoucherWish = Pick<VoucherBody, 'kind' | 'client' | 'credits'>;

/** Whether a node may vouch so: a claim out of what the client has served it itself, a word as far as it trusts the client. */
export function mayDraw(claims: Claims, { kind, client, credits }: VoucherWish): boolean {
  return kind === 'claim' ? claims.own(client) >= credits : claims.trusts(client, credits);
}

/**
 * Draws what a voucher is to say from what this node owes the client, or from its trust in the client: before it is signed, so that no
 * death in between lets the client have it twice.
 *
 * @returns false, and does nothing, when the client may not have it
 */
export function drawVoucher(claims: Claims, wish: VoucherWish): boolean {
  const { kind, client, credits } = wish;
  if (!mayDraw(claims, wish)) return false;
  if (kind === 'claim') return claims.draw(client, credits);
  claims.trust(client, credits);
  return true;
}

/** Takes vouchers at the worker: each once, and only as far as who vouches has served the worker. */
export class VoucherDesk {
  readonly #worker: string;
  readonly #claims: Claims;
  readonly #verify: Verify;
  /** Vouchers that were taken, until none of their time can come again; oldest first. */
  readonly #taken = new Map<string, number>();

  constructor(options: { worker: string; claims: Claims; verify: Verify }) {
    this.#worker = options.worker;
    this.#claims = options.claims;
    this.#verify = options.verify;
  }

  /**
   * Takes a voucher. A `claim` moves what this node owes the one who vouches to the client, who may spend it at once.
   *
   * @param client who brings it
   * @returns why it was not taken; undefined when it was
   */
  take(voucher: Voucher, client: string, now: number): VoucherFault | undefined {
    const fault = this.hold(voucher, client, now);
    if (!fault) this.keep(voucher);
    return fault;
  }

  /**
   * The first half of {@link take}, before the ledger has it: what it says is set aside, and nobody can bring it again. Then comes
   * {@link keep} or {@link drop}.
   */
  hold({ body, sig }: Voucher, client: string, now: number): VoucherFault | undefined {
    const { by, credits, expires } = body;
    if (body.worker !== this.#worker || body.client !== client || by === client) return 'party';
    if (!(Number.isSafeInteger(credits) && credits > 0)) return 'sum';
    if (expires <= now - VOUCHER_SKEW_MS || expires > now + VOUCHER_MS + VOUCHER_SKEW_MS) return 'expired';
    this.#forget(now);
    const key = keyOf(body);
    if (this.#taken.has(key)) return 'used';
    if (!this.#covers(body)) return 'uncovered';
    if (!this.#verify(by, voucherBytes(body), sig)) return 'signature';
    this.#taken.set(key, now + VOUCHER_MS + 2 * VOUCHER_SKEW_MS);
    if (body.kind === 'word') this.#claims.trust(by, credits);
    else this.#claims.hold(by, credits);
    return undefined;
  }

  keep({ body: { kind, by, client, credits } }: Voucher): void {
    if (kind === 'word') return;
    this.#claims.settle(by, credits, 0);
    this.#claims.move(by, client, credits);
  }

  /** @param used the ledger has it already, from before this process: then it is not forgotten */
  drop({ body }: Voucher, used: boolean): void {
    const { kind, by, credits } = body;
    if (!used) this.#taken.delete(keyOf(body));
    if (kind === 'word') this.#claims.trust(by, -credits);
    else this.#claims.settle(by, credits, 0);
  }

  #covers({ kind, by, credits }: VoucherBody): boolean {
    return kind === 'word' ? this.#claims.trusts(by, credits) : this.#claims.free(by) >= credits;
  }

  /** All are kept equally long: only the front can be due. */
  #forget(now: number): void {
    for (const [key, until] of this.#taken) {
      if (until > now) return;
      this.#taken.delete(key);
    }
  }
}

const keyOf = ({ by, serial }: VoucherBody) => `${by} ${serial}`;
