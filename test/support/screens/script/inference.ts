import type { Script, ScriptedData, ScriptedOs } from './answers.ts';

/** The contract's `inference` out of a script: nobody answers, and the model that is chosen comes and goes at once. */
export function script(os: ScriptedOs['inference'], answers: ScriptedData): Script<'inference'> {
  return {
    ask: os.ask.handler(async function* () {}),
    load: os.load.handler(() => setEngine(answers, 'ready')),
    unload: os.unload.handler(() => setEngine(answers, 'closed')),
  };
}

function setEngine(answers: ScriptedData, state: 'ready' | 'closed'): void {
  const name = answers.localModels.find(({ selected }) => selected)?.name ?? 'tiny';
  const model = { name, device: 'cuda', contextSize: 8_192, parallel: 4, tiny: name === 'tiny' };
  const engine = { ...answers.status.engine, state };
  answers.status = {
    ...answers.status,
    engine: state === 'ready' ? { ...engine, model } : { ...engine, model: undefined },
  };
}
