import type { SampleView } from '../../../src-preload/contract/validator.ts';

/** «81.2 %» @param share 0 to 1 */
export const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** «70.1 % – 89.0 %» */
export const range = ({ low, high }: Pick<SampleView, 'low' | 'high'>) => `${percent(low)} – ${percent(high)}`;
