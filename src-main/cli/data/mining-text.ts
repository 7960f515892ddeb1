import type { DataState } from '../../../src-preload/contract/data.ts';

/** «Mining: working. Wanted: 50 clips of «cats» from commons.» */
export function miningText({ mining, order }: Pick<DataState, 'mining' | 'order'>): string {
  const wanted = order ? `${order.most} clips of «${order.topic}» from ${order.sources.join(', ')}` : undefined;
  if (mining === 'off') return wanted ? `Mining is off. Wanted last: ${wanted}.` : 'Mining is off.';
  return wanted ? `Mining: ${mining}. Wanted: ${wanted}.` : `Mining: ${mining}.`;
}
