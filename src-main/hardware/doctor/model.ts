import { say, told } from '../../../src-preload/contract/saying.ts';
import type { CheckResult } from './check.ts';

/** A model that this node could serve. */
export interface InstalledModel {
  name: string;
  /** The built-in one that is only for trying things out. */
  tiny: boolean;
}

/** Whether there is a real model to serve. */
export function checkModel(models: InstalledModel[]): CheckResult {
  const real = models.filter(({ tiny }) => !tiny);
  if (real.length > 0) {
    const names = real.slice(0, 5).map((model) => model.name);
    const more = real.length - names.length;
    const found = more > 0 ? say('doctor.model.andMore', { names, more }) : say('doctor.model.installed', { names });
    return { name: 'model', status: 'ok', ...told({ found }) };
  }
  return {
    name: 'model',
    status: 'warn',
    ...told({
      found: say(models.length > 0 ? 'doctor.model.onlyTiny' : 'doctor.model.none'),
      advice: say('doctor.model.import'),
    }),
  };
}
