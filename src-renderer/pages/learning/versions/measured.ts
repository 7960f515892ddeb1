import type { AdapterVersion } from '../../../../src-preload/contract/learning-versions.ts';

/** What was measured of a version when it was accepted, shares from 0 to 1; what was not is absent. */
export function measuredOf({ metrics }: Pick<AdapterVersion, 'metrics'>): {
  compliance?: number;
  capability?: number;
} {
  const { compliance, capability } = metrics ?? {};
  return {
    ...(typeof compliance === 'number' && { compliance }),
    ...(typeof capability === 'number' && { capability }),
  };
}
