import { Samples } from '../node/samples.ts';
import type { Core } from './core.ts';
import type { MeshPart } from './mesh.ts';
import type { MiningPart } from './mining.ts';

/** The live charts' memory. */
export type SamplesPart = Pick<Samples, 'list' | 'watch'>;

export function openSamples(
  { onClose }: Pick<Core, 'onClose'>,
  { mining, mesh }: { mining: MiningPart | undefined; mesh: MeshPart | undefined },
): SamplesPart {
  const samples = new Samples({
    read: () => ({
      active: mining?.work.queue().active ?? 0,
      waiting: mining?.work.queue().waiting ?? 0,
      health: mining?.health.current().score ?? null,
      peers: mesh?.peers.count ?? 0,
    }),
  });
  onClose(() => samples.close());
  mining?.work.on('firstToken', (ms) => samples.firstToken(ms)).on('tokens', (count) => samples.tokens(count));
  samples.open();
  return samples;
}
