import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ModelsMessage, Offer } from '../../../../src-main/mesh/sharing/messages.ts';
import { ModelSharing } from '../../../../src-main/mesh/sharing/model-sharing.ts';
import { signEvidence } from '../../../../src-main/mesh/transport/envelope.ts';
import { MeshNetwork } from '../../../../src-main/mesh/transport/network.ts';
import { randomIdentity, testLog } from '../../../support/mesh-node.ts';

const facts = { file: 'model.gguf', licence: 'MIT', quantisation: 'Q8_0', contextLength: 2_048 };
const body = { type: 'model-offer', bytes: 1_000, sha256: '1'.repeat(64), treeHash: '2'.repeat(64), ...facts } as const;

it('a peer that says offers again and again is not listened to any more, nor when it connects anew', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quarry-offers-'));
  const open = async () => {};
  const { follow } = MeshNetwork.prototype;
  const network = Object.assign(new EventEmitter(), { peers: new Map(), follow, open, close: open });
  const sharing = new ModelSharing({
    network: network as unknown as MeshNetwork<ModelsMessage>,
    identity: randomIdentity(),
    ...{ dataDir, uploadLimit: null, diskLimit: null, trustedSigners: [], now: () => 0, log: testLog },
  });
  await sharing.open();
  const identity = randomIdentity();
  /** A connection of it, on which it says one thing after the other. */
  const says = (...names: string[]) => {
    let tell = (_message: ModelsMessage) => {};
    const onMessage = (listener: typeof tell) => (tell = listener);
    network.emit('peer', { id: identity.id, onMessage, connection: {} });
    for (const name of names) {
      const offer = signEvidence<Offer>({ ...body, name, seeder: identity.id }, identity, 0);
      tell({ v: 2, type: 'model-offers', offers: [offer] });
    }
  };
  const heard = () => sharing.offers().map(({ name }) => name);

  says('1', '2', '3', '4', '5', '6', '7', '8', '9');
  expect(heard()).toEqual(['8']);
  says('10');
  expect(heard()).toEqual(['8']);
  await sharing.close();
  await rm(dataDir, { recursive: true, force: true });
});
