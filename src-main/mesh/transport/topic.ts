import { createHash, createHmac, scryptSync, timingSafeEqual } from 'node:crypto';

/** A mesh apart from the public one: another name, and a secret when strangers are to stay out. */
export interface MeshName {
  /** Default: the public mesh. */
  name?: string;
  /** Whoever knows it may take part. Default: open to everyone. */
  secret?: string;
}

/** What is derived from a mesh's name and secret: where to meet, and how to prove that one belongs there. */
export class MeshKeys {
  readonly #name: string;
  readonly #key: Buffer | undefined;

  constructor(mesh: MeshName = {}) {
    this.#name = mesh.name ?? '';
    // Topics are visible on the DHT, so the secret is stretched: guessing it from a topic stays expensive.
    this.#key = mesh.secret
      ? scryptSync(mesh.secret, `quarry-mesh/v2\n${this.#name}`, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 })
      : undefined;
  }

  /** SHA-256 of the network's name (and the mesh's); keyed with the secret where there is one. 32 bytes. */
  topic(network: string): Buffer {
    return this.#hash(this.#name ? `${network}/${this.#name}` : network);
  }

  /** Where those of a network meet who have or want one thing, such as a file by its SHA-256. 32 bytes. */
  topicOf(network: string, thing: string): Buffer {
    return this.#hash(`${network}/${this.#name}/${thing}`);
  }

  /**
   * What a node says in its hello to show that it knows the secret; undefined in an open mesh. It is bound to the Noise
   * handshake and to the sender, so it can be neither replayed nor reflected.
   */
  proof(handshakeHash: Uint8Array, sender: string): string | undefined {
    if (!this.#key) return undefined;
    const mac = createHmac('sha256', this.#key).update('quarry-mesh-proof/v2\n');
    return mac.update(handshakeHash).update(Buffer.from(sender, 'hex')).digest('hex');
  }

  /** Whether a peer's hello may enter: always in an open mesh, with the right proof in one that has a secret. */
  admits(proof: string | undefined, handshakeHash: Uint8Array, sender: string): boolean {
    const expected = this.proof(handshakeHash, sender);
    if (expected === undefined) return true;
    return proof !== undefined && timingSafeEqual(Buffer.from(expected), Buffer.from(proof));
  }

  #hash(label: string): Buffer {
    const hash = this.#key ? createHmac('sha256', this.#key) : createHash('sha256');
    return hash.update(label).digest();
  }
}
