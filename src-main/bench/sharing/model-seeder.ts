/** A seeder's process of `quarry bench download`: shares one file, as Quarry does and as a bare Hypercore. */
import { BareCore } from './bare-core.ts';
import type { SeederAnswer, SeederOrder } from './model-seeder-process.ts';
import { openSharingNode } from './sharing-node.ts';

const reply = (answer: SeederAnswer) => process.send?.(answer);

async function seed({ model, folder, bootstrap, uploadLimit }: Extract<SeederOrder, { type: 'open' }>): Promise<void> {
  const ours = await openSharingNode({ folder, bootstrap, uploadLimit });
  const bare = new BareCore({ folder, bootstrap });
  await ours.sharing.share(model);
  const { core, node } = await bare.serve(model.path);
  process.on('message', async (order: SeederOrder) => {
    if (order.type !== 'close') return;
    await ours.close();
    await bare.close();
    process.disconnect();
  });
  while (ours.sharing.status().models[0]?.state !== 'shared') await new Promise((resolve) => setTimeout(resolve, 20));
  reply({ type: 'ready', core, node });
}

process.once('disconnect', () => process.exit());
process.once('message', (order: SeederOrder) => {
  if (order.type === 'open') seed(order).catch((error: Error) => reply({ type: 'failed', message: error.message }));
});
