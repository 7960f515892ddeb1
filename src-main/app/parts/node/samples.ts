import type { NodeReading } from '../../node/reading.ts';
import { Samples } from '../../node/samples.ts';
import type { Core } from '../core.ts';
import type { MiningPart } from '../mesh/mining.ts';
import type { Report } from '../report.ts';

/** The live charts' memory. */
export type SamplesPart = Pick<Samples, 'list' | 'watch'>;

export function openSamples(
  { onClose }: Pick<Core, 'onClose'>,
  { mining, read }: { mining: Pick<MiningPart, 'work'> | undefined; read: () => NodeReading },
): SamplesPart {
  const samples = new Samples({
    read() {
      const { queue, health, peers } = read();
      return { active: queue.active, waiting: queue.waiting, health: health?.score ?? null, peers };
    },
  });
  onClose(() => samples.close());
  mining?.work.on('firstToken', (ms) => samples.firstToken(ms)).on('tokens', (count) => samples.tokens(count));
  samples.open();
  return samples;
}

/** @param samples undefined where nobody could look at them */
export function samplesReport(samples: SamplesPart | undefined): Report {
  return { diagnostics: { lastMinutes: async () => samples?.list() } };
}
