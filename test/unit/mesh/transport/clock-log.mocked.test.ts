import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { MODELS_NETWORK } from '../../../../src-main/mesh/sharing/messages.ts';
import { BanList } from '../../../../src-main/mesh/transport/guards/ban-list.ts';
import { MeshNetwork } from '../../../../src-main/mesh/transport/network.ts';
import { MeshSwarm } from '../../../../src-main/mesh/transport/swarm.ts';
import { anyAddress, callNode } from '../../../support/fuzz/victim.ts';
import { randomIdentity } from '../../../support/mesh-node.ts';
import { until } from '../../../support/until.ts';

vi.mock('hyperswarm', async () => ({ default: (await import('../../../support/memory-swarm.ts')).MemorySwarm }));
vi.mock('hyperdht', async () => ({ default: (await import('../../../support/memory-swarm.ts')).MemoryDht }));

it('a crowd whose clocks differ is one line in the log', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const swarm = new MeshSwarm({ identity: randomIdentity(), bans: new BanList({ log }), log });
  const describe = () => ({ sides: [] });
  const network = new MeshNetwork({ ...MODELS_NETWORK, swarm, mode: 'both', describe, log });
  await swarm.open();
  await network.open();
  const channels = [{ ...MODELS_NETWORK, topic: swarm.keys.topic(MODELS_NETWORK.name) }];
  for (let number = 0; number < 40; number++) {
    callNode(swarm.identity.id, anyAddress(number * 1_000), channels)?.hello(MODELS_NETWORK.name, [], 1_000 + number);
  }
  await until(() => expect(network.peers.size).toBe(40));
  expect(lines.filter((line) => line.includes('clocks differ'))).toHaveLength(1);
  await network.close();
  await swarm.close();
});
