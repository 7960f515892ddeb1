import type { Script, ScriptedData, ScriptedOs } from './answers.ts';
import { every } from './answers.ts';

/** The contract's `axon` out of a script: it starts, stops and is looked at. */
export function script(os: ScriptedOs['axon'], answers: ScriptedData): Script<'axon'> {
  const set = (running: boolean) => (answers.axon = { ...answers.axon, running });
  return {
    state: os.state.handler(() => answers.axon),
    watch: os.watch.handler(({ signal }) =>
      every(
        () => 1_000,
        () => answers.axon,
        signal,
      ),
    ),
    start: os.start.handler(() => set(true)),
    stop: os.stop.handler(() => set(false)),
    check: os.check.handler(() => answers.axon),
  };
}
