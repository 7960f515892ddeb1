import type { SampleView } from '../../../src-preload/contract/validator.ts';
import { percent } from '../terminal/output.ts';

/** «70.1 % – 89.0 %» */
export const range = ({ low, high }: Pick<SampleView, 'low' | 'high'>) => `${percent(low)} – ${percent(high)}`;
