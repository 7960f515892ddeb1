import { version } from '../../../base/version.ts';
import { bootstrapAddresses } from '../../../mesh/transport/address.ts';
import type { Identity } from '../../../mesh/transport/identity.ts';
import { MeshSwarm, type MeshSwarmOptions } from '../../../mesh/transport/swarm.ts';
import type { Core } from '../core.ts';

/**
 * A swarm as the settings want it, not open yet.
 * @param identity who it is to others: the node, or the node as a sharer of models
 * @param options.bulk, options.knows see MeshSwarmOptions
 */
export function createSwarm(
  { config, bans, log }: Pick<Core, 'config' | 'bans' | 'log'>,
  identity: Identity,
  { bulk = false, knows }: Pick<MeshSwarmOptions, 'bulk' | 'knows'> = {},
): MeshSwarm {
  const { connections, connectionsPerHost, framesPerSecond, bytesPerSecond } = config.limits;
  return new MeshSwarm({
    identity,
    bootstrap: bootstrapAddresses(config.bootstrap),
    mesh: config.mesh,
    limits: { connections, connectionsPerHost, framesPerSecond, bytesPerSecond },
    bulk,
    knows,
    bans,
    client: `quarry/${version}`,
    log,
  });
}
