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
    const more = real.length > names.length ? ` and ${real.length - names.length} more` : '';
    return { name: 'model', status: 'ok', found: `Installed: ${names.join(', ')}${more}.` };
  }
  return {
    name: 'model',
    status: 'warn',
    found: models.length > 0 ? 'Only the built-in tiny model is here; its answers are noise.' : 'There is no model.',
    advice: 'Download a model in the GGUF format and run: quarry models import FILE',
  };
}
