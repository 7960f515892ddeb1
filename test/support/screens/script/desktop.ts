import type { Script, ScriptedData, ScriptedOs } from './answers.ts';

/** The contract's `desktop` out of a script: a node without a window. */
export function script(os: ScriptedOs['desktop'], answers: ScriptedData): Script<'desktop'> {
  return {
    state: os.state.handler(() => answers.headless),
    setStartOnLogin: os.setStartOnLogin.handler(() => answers.headless),
    pickModelFile: os.pickModelFile.handler(() => ({ path: null })),
    pickFolder: os.pickFolder.handler(() => ({ path: null })),
    openFolder: os.openFolder.handler(() => undefined),
    checkForUpdate: os.checkForUpdate.handler(() => answers.headless.update),
    installUpdate: os.installUpdate.handler(() => undefined),
  };
}
