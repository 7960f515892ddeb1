import type { ClientContext, ClientLink } from '@orpc/client';
import { create } from 'zustand';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { loadNewScreens } from './new-screens.ts';
import { isDesktop, openPort } from './port.ts';
import { readSession } from './session.ts';
import { openSocket } from './socket.ts';
import { tellThereAgain } from './there-again.ts';

export type ConnectionState =
  /** The first connection is being made. */
  | 'connecting'
  | 'open'
  /** It was there and is tried again. */
  | 'lost'
  /** The server does not know this browser. */
  | 'login';

/** An open way to main. */
export interface Channel {
  link: ClientLink<ClientContext>;
  close(): void;
}

/** The desktop window has no server between itself and main. */
const IN_WINDOW = { loggedIn: true, hasToken: false, inCheckout: false };
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 3_000;

interface ConnectionView {
  state: ConnectionState;
  /** Whether the server has a token to log in with. */
  hasToken: boolean;
  /** Whether the server runs in a checkout, where commands are typed otherwise. */
  inCheckout: boolean;
  /** Unix milliseconds: since when it is lost, and when it is tried again; absent while it is there. */
  lostAt?: number | undefined;
  nextTryAt?: number | undefined;
}

export const useConnection = create<ConnectionView>(() => ({
  state: 'connecting',
  hasToken: false,
  inCheckout: false,
}));

/** Keeps one channel to main and makes a new one whenever it is lost. */
class Connection {
  #channel: Channel | undefined;
  #retryMs = FIRST_RETRY_MS;
  #trying = false;
  /** The first try is made by a page that has just come. */
  #tried = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @throws QuarryError NOT_RUNNING while there is no channel */
  link(): ClientLink<ClientContext> {
    if (this.#channel) return this.#channel.link;
    throw new QuarryError({ code: 'NOT_RUNNING', message: say('login.connectionLost'), retryable: true });
  }

  /** Connects, and goes on trying; at once where it waits for the next try. */
  async open(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#trying) return;
    this.#trying = true;
    try {
      await this.#connect();
    } catch {
      this.#lost();
    } finally {
      this.#trying = false;
    }
  }

  async #connect(): Promise<void> {
    useConnection.setState({ nextTryAt: undefined });
    const again = this.#tried;
    this.#tried = true;
    if (again && !isDesktop() && (await loadNewScreens())) return;
    const { loggedIn, hasToken, inCheckout } = isDesktop() ? IN_WINDOW : await readSession();
    if (!loggedIn) {
      useConnection.setState({ state: 'login', hasToken, inCheckout });
      return;
    }
    this.#channel = await (isDesktop() ? openPort(() => this.#lost()) : openSocket(() => this.#lost()));
    this.#retryMs = FIRST_RETRY_MS;
    useConnection.setState({ state: 'open', lostAt: undefined });
    tellThereAgain();
  }

  #lost(): void {
    this.#channel = undefined;
    const { state } = useConnection.getState();
    useConnection.setState({
      state: state === 'connecting' ? 'connecting' : 'lost',
      lostAt: useConnection.getState().lostAt ?? Date.now(),
      nextTryAt: Date.now() + this.#retryMs,
    });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.open(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
  }
}

export const connection = new Connection();
