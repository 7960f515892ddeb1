import type { Access } from '../routes.ts';
import { CompetitionProblem } from './competition-problem.ts';

/** What a hotkey has on a subnet. */
export interface SubnetPlace {
  uid: number;
  validatorPermit: boolean;
  /** Rao. */
  stake: bigint;
}

/** Looks a hotkey up on the subnet; undefined for one that is not registered there. @throws where the chain does not answer */
export type MetagraphLookup = (hotkey: string) => Promise<SubnetPlace | undefined>;

export interface RolesOptions {
  /** ss58 of the server’s own hotkey. */
  server: string;
  /** Undefined where there is no chain: then everybody who signs is a miner, and nobody a validator but who is trusted. */
  metagraph: MetagraphLookup | undefined;
  /** ss58 of hotkeys that count as validators, whatever the chain says. */
  trusted: readonly string[];
  /** Rao that a validator has at least. */
  leastStake: bigint;
}

/** Who may ask for what. */
export class Roles {
  readonly #options: RolesOptions;

  constructor(options: RolesOptions) {
    this.#options = options;
  }

  /** @throws CompetitionProblem FORBIDDEN, UNAVAILABLE */
  async refuse(hotkey: string, access: Access): Promise<void> {
    if (access === 'operator' && hotkey !== this.#options.server) throw forbidden('Only who runs the competition may.');
    if (access === 'miner') await this.#refuseAsMiner(hotkey);
    if (access === 'validator') await this.#refuseAsValidator(hotkey);
  }

  /** Its number on the subnet; null where it has none, or nobody knows. */
  async uidOf(hotkey: string): Promise<number | null> {
    return (await this.#place(hotkey))?.uid ?? null;
  }

  async #refuseAsMiner(hotkey: string): Promise<void> {
    const { server, metagraph } = this.#options;
    if (hotkey === server) throw forbidden('Who runs a competition knows its seeds, and does not compete in it.');
    if (metagraph && !(await this.#place(hotkey))) throw forbidden('This hotkey is not registered on the subnet.');
  }

  async #refuseAsValidator(hotkey: string): Promise<void> {
    const { server, trusted, leastStake } = this.#options;
    if (hotkey === server || trusted.includes(hotkey)) return;
    const place = await this.#place(hotkey);
    if (!place?.validatorPermit) throw forbidden('This hotkey has no permit as a validator of the subnet.');
    if (place.stake < leastStake) throw forbidden('There is too little stake behind this hotkey.');
  }

  async #place(hotkey: string): Promise<SubnetPlace | undefined> {
    try {
      return await this.#options.metagraph?.(hotkey);
    } catch (cause) {
      throw new CompetitionProblem('UNAVAILABLE', 'The chain does not answer.', { cause, retryAfterMs: 12_000 });
    }
  }
}

function forbidden(message: string): CompetitionProblem {
  return new CompetitionProblem('FORBIDDEN', message);
}
