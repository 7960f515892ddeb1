import Corestore, { type OpenCore } from 'corestore';
import { ignoring } from '../../base/swallowed.ts';

/** A Corestore that may be closed while peers send: every store of cores that others replicate is one. */
export class CoreStore extends Corestore {
  constructor(...options: ConstructorParameters<typeof Corestore>) {
    super(...options);
    this.watch(({ replicator }) => this.prepare(replicator));
  }

  /** Is told of each core at the moment it is opened, by whomever. */
  protected prepare(replicator: OpenCore['replicator']): void {
    // Hypercore looks for blocks that came by another way and waits for nobody: a read of a place that was closed would end the process.
    const resolve = replicator._resolveBlocksLocally.bind(replicator);
    replicator._resolveBlocksLocally = () =>
      resolve().catch(ignoring('whoever waits for a block hears that its core was closed'));
  }
}
