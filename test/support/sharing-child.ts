/** A seeder in a process of its own, to be killed: shares one file and says so. */
import type { ModelToShare } from '../../src-main/mesh/sharing/model-sharing.ts';
import { openSharingNode, shareNow } from './sharing-node.ts';

process.once('disconnect', () => process.exit());
process.once(
  'message',
  async (order: { bootstrap: { host: string; port: number }[]; model: ModelToShare; dir: string }) => {
    const node = await openSharingNode({ bootstrap: order.bootstrap, dir: order.dir, uploadLimit: 8_000_000 });
    await shareNow(node, order.model);
    process.send?.('ready');
  },
);
