import type { Script, ScriptedOs } from './answers.ts';

/** The contract's `inference` out of a script: nobody answers. */
export function script(os: ScriptedOs['inference']): Script<'inference'> {
  return { ask: os.ask.handler(async function* () {}) };
}
