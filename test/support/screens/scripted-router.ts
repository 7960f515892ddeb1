import { contract } from '../../../src-preload/contract/contract.ts';
import { implementer, type ScriptedData } from './script/answers.ts';

/** What answers domains of the contract that are not out of a script, by their names. */
export type RealRoutes = { readonly [Name in keyof typeof contract]?: unknown };

/** The whole contract out of a script: a file for each of its domains, found by its name. */
export async function scriptedRouter(answers: ScriptedData, real: RealRoutes = {}) {
  const os = implementer(answers);
  const names = Object.keys(contract) as (keyof typeof contract)[];
  const domains = names.map(async (name) => {
    if (real[name]) return [name, real[name]] as const;
    const { script } = await import(`./script/${name}.ts`);
    return [name, script(os[name], answers)] as const;
  });
  return os.router(Object.fromEntries(await Promise.all(domains)) as Parameters<typeof os.router>[0]);
}
