import { say } from '../../../../../src-preload/contract/saying.ts';
import { closeAll } from '../../../../base/close-all.ts';
import type { RequestSigner } from '../../../../bittensor/signed-requests/sign-request.ts';
import { type Asking, CompetitionClient, type CompetitionClientOptions } from './competition-client.ts';
import { refused, untrue } from './competition-problems.ts';

/** What is set: see `competitor-settings.ts`. */
export interface CompetitionChoice {
  server?: string | undefined;
  key?: string | undefined;
  wallet?: string | undefined;
  hotkey: string;
  reveals: boolean;
}

/** Names of whoever signs. */
export interface HotkeyName {
  wallet: string;
  hotkey: string;
}

/** Those that somebody named; the others are as they are set. */
export type NamedHotkey = { [Name in keyof HotkeyName]?: string | undefined };

type OpenedHotkey = RequestSigner & { close(): Promise<void> };

export interface ServersOptions extends Pick<CompetitionClientOptions, 'fetch' | 'now' | 'answerMs'> {
  choice: () => CompetitionChoice;
  /** A hotkey that goes on signing. @throws where that takes somebody who types a password */
  openHotkey: (name: HotkeyName) => Promise<OpenedHotkey>;
}

/** The servers of competitions that this node asks, and in whose name. A resource. */
export class Servers {
  readonly #options: ServersOptions;
  /** By wallet and hotkey. */
  readonly #hotkeys = new Map<string, Promise<OpenedHotkey>>();

  constructor(options: ServersOptions) {
    this.#options = options;
  }

  get choice(): CompetitionChoice {
    return this.#options.choice();
  }

  /** @param url default: the one that is set @throws BAD_REQUEST where none is, or it is not safe */
  client(url = this.choice.server): CompetitionClient {
    if (url === undefined) throw refused(say('competitor.notSet'), 'server', say('competitor.notSet.hint'));
    const { choice: _, openHotkey: __, ...how } = this.#options;
    return new CompetitionClient({ ...how, url });
  }

  /** Who is to sign. @throws BAD_REQUEST where no wallet is set */
  names({ wallet = this.choice.wallet, hotkey = this.choice.hotkey }: NamedHotkey = {}): HotkeyName {
    if (wallet === undefined) throw refused(say('competitor.noWallet'), 'wallet', say('competitor.noWallet.hint'));
    return { wallet, hotkey };
  }

  /** Asks a server who it is, and opens the hotkey that asks. @throws PROTOCOL where another key is set for this address */
  async meet(client: CompetitionClient, names: HotkeyName, signal: AbortSignal): Promise<Asking> {
    return { server: await this.serverOf(client, signal), signer: await this.signer(names) };
  }

  /** ss58 of whoever answers there. @throws PROTOCOL where another key is set for this address */
  async serverOf(client: CompetitionClient, signal: AbortSignal): Promise<string> {
    return this.expected(client, await client.server(signal));
  }

  /** @throws PROTOCOL where another key than this is set for its address */
  expected({ url, host }: CompetitionClient, key: string): string {
    const { server, key: wanted } = this.choice;
    const isSet = server !== undefined && wanted !== undefined && URL.parse(server)?.origin === url;
    if (!isSet || wanted === key) return key;
    throw untrue(say('competitor.otherKey', { host, key }));
  }

  signer({ wallet, hotkey }: HotkeyName): Promise<OpenedHotkey> {
    const name = JSON.stringify([wallet, hotkey]);
    const opening = this.#hotkeys.get(name) ?? this.#options.openHotkey({ wallet, hotkey });
    this.#hotkeys.set(name, opening);
    opening.catch(() => this.#hotkeys.delete(name));
    return opening;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#hotkeys.values());
    this.#hotkeys.clear();
    await closeAll(...opened.map((one) => async () => one.status === 'fulfilled' && (await one.value.close())));
  }
}
