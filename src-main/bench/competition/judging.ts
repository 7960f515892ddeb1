import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { baselineKernel } from '../../subnets/quasar/kernels/baseline.ts';
import { judgeKernel } from '../../subnets/quasar/kernels/judge-kernel.ts';
import type { KernelSpeed } from '../../subnets/quasar/kernels/verdict.ts';
import { type BenchEvent, benchRow, note, perSecond } from '../row.ts';

/** Tokens that are measured in the lowest league, and in the highest. */
const LENGTHS = [100_000, 1_000_000];

interface Judged {
  perMinute: number;
  /** If nothing were done but the calls that are measured. */
  leastPerMinute: number;
  /** By how much the kernel beside itself seems to be faster or slower, percent. */
  off: number;
}

/** Kernels judged in a minute, one after the other as in a round; and how far the same kernel is from itself. */
export async function* benchJudging({
  runs,
  signal,
}: {
  runs: number;
  signal?: AbortSignal;
}): AsyncGenerator<BenchEvent> {
  const kernel = await baselineKernel();
  for (const tokens of LENGTHS) {
    yield note(`judging the baseline beside itself, ${tokens.toLocaleString('en')} tokens`);
    const judged: Judged[] = [];
    for (let run = 0; run < runs; run++) judged.push(await judgeOnce(kernel, tokens, signal));
    const about = `${tokens.toLocaleString('en')} tokens`;
    const row = (more: Pick<Parameters<typeof benchRow>[0], 'case' | 'unit' | 'goal' | 'ours'> & { peer?: number[] }) =>
      ({ type: 'row', row: benchRow({ bench: 'competition', ...more }) }) as const;
    yield row({
      ...{ case: `kernels judged, ${about}`, unit: 'a minute', goal: null, peerName: 'the measured calls alone' },
      ...{ ours: judged.map(({ perMinute }) => perMinute), peer: judged.map(({ leastPerMinute }) => leastPerMinute) },
    });
    yield row({
      ...{ case: `the same kernel beside itself, ${about}`, unit: '% off (less is better)', goal: '≤ 2' },
      ours: judged.map(({ off }) => off),
    });
  }
}

async function judgeOnce(kernel: Uint8Array, tokens: number, signal: AbortSignal | undefined): Promise<Judged> {
  const began = performance.now();
  const options = { baseline: kernel, seed: randomBytes(32).toString('hex'), tokens, signal };
  const verdict = await judgeKernel(kernel, options);
  if (!verdict.right) throw new Error(`The baseline was found to be wrong: ${verdict.reason.key}`);
  const { ratio } = verdict;
  return {
    perMinute: 60 * perSecond(1, began),
    leastPerMinute: 60 / measuredSeconds(verdict, tokens),
    off: Math.abs(ratio.median - 1) * 100,
  };
}

const measuredSeconds = ({ tokensPerSecond, baselineTokensPerSecond }: KernelSpeed, tokens: number) =>
  tokens / tokensPerSecond + tokens / baselineTokensPerSecond;
