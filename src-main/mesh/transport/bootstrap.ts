import { randomInt } from 'node:crypto';
import HyperDHT, { type Address } from 'hyperdht';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { Turns } from '../../base/turns.ts';
import { DEFAULT_BOOTSTRAP_PORT } from './address.ts';

/** Where a free port is looked for: above the well-known ones, below those that systems give to outgoing traffic. */
const ANY_PORT = [20_000, 32_000] as const;
const MOST_ATTEMPTS = 20;
const NODES = 4;

export interface BootstrapNodeOptions {
  /** UDP port; the three after it are used too. 0 takes any four free ones. Default {@link DEFAULT_BOOTSTRAP_PORT}. */
  port?: number;
  /** IPv4 address at which other machines reach this one. Default 127.0.0.1: this machine only. */
  host?: string;
}

/**
 * A meeting point for a private, local or offline mesh: the DHT nodes that tell others where to find each other. It is
 * four nodes in one process: a DHT of one has nobody to store an announcement with, and a node that is asked by fewer
 * than three cannot tell what its NAT does, whereupon HyperDHT gives up connecting it.
 */
export class BootstrapNode {
  #address: Address;
  #nodes: HyperDHT[] = [];
  /** Who opens it twice at once has it once. */
  readonly #turns = new Turns();

  constructor(options: BootstrapNodeOptions = {}) {
    this.#address = { host: options.host ?? '127.0.0.1', port: options.port ?? DEFAULT_BOOTSTRAP_PORT };
  }

  /** Where others find it; the port is known once it is open. */
  get address(): Address {
    return this.#address;
  }

  /** Idempotent. @throws PORT_IN_USE when one of the ports is taken */
  open(): Promise<void> {
    return this.#turns.take(() => this.#open());
  }

  /** Idempotent. */
  close(): Promise<void> {
    return this.#turns.take(() => this.#destroy());
  }

  async #open(): Promise<void> {
    if (this.#nodes.length > 0) return;
    const { host, port } = this.#address;
    if (port !== 0) return await this.#startAll({ host, port });
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#startAll({ host, port: randomInt(...ANY_PORT) });
      } catch (error) {
        if (attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  async #destroy(): Promise<void> {
    const nodes = this.#nodes.splice(0);
    await Promise.all(nodes.map((node) => node.destroy({ force: true })));
  }

  async #startAll(address: Address): Promise<void> {
    try {
      await this.#start(address, []);
      for (let port = address.port + 1; port < address.port + NODES; port++) {
        await this.#start({ ...address, port }, [address]);
      }
      this.#address = address;
    } catch (error) {
      await this.#destroy();
      throw portTaken(address.port, error);
    }
  }

  async #start({ host, port }: Address, bootstrap: Address[]): Promise<void> {
    const bindHost = host.startsWith('127.') ? host : '0.0.0.0';
    const node = HyperDHT.bootstrapper(port, host, { bootstrap, host: bindHost });
    await node.fullyBootstrapped(); // a node that could not bind its port has destroyed itself
    this.#nodes.push(node);
  }
}

function portTaken(port: number, cause: unknown): QuarryError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new QuarryError(
    {
      code: 'PORT_IN_USE',
      message: say('bootstrap.portTaken', { first: String(port), last: String(port + NODES - 1), why }),
      hint: say('bootstrap.otherPorts'),
    },
    { cause },
  );
}
