import type { DesktopState } from '../../../src-preload/contract/desktop.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { PlainVault } from '../../settings/secret-vault.ts';
import type { DesktopPort, HostPorts } from '../host/host-ports.ts';
import { modelsFolder } from '../models/model-library.ts';
import type { Core } from '../parts/core.ts';
import type { Domain } from './implementer.ts';

const NO_WINDOW = 'This node runs without a window.';

export interface DesktopRoutesNeeds {
  ports: HostPorts;
  config: Pick<Core['config'], 'dataDir' | 'models'>;
}

/** The contract's `desktop`. */
export function desktopRoutes({ os }: Domain<'desktop'>, { ports, config }: DesktopRoutesNeeds) {
  const port = (hint: string) => need(ports.desktop, hint);
  return {
    state: os.state.handler(() => ports.desktop?.state() ?? stateWithout(ports)),
    setStartOnLogin: os.setStartOnLogin.handler(async ({ input }) => {
      const desktop = port('Have your system start it: quarry start --headless.');
      await desktop.setStartOnLogin(input.on);
      return await desktop.state();
    }),
    pickModelFile: os.pickModelFile.handler(async () => {
      return { path: await port('Type the path of the file instead.').pickModelFile() };
    }),
    pickFolder: os.pickFolder.handler(async () => {
      return { path: await port('Type the path of the folder instead.').pickFolder() };
    }),
    openFolder: os.openFolder.handler(async ({ input }) => {
      const path = input.folder === 'data' ? config.dataDir : modelsFolder(config);
      await port(`Open the folder yourself: ${path}`).openFolder(path);
    }),
    checkForUpdate: os.checkForUpdate.handler(() => port(UPDATE_YOURSELF).checkForUpdate()),
    installUpdate: os.installUpdate.handler(() => port(UPDATE_YOURSELF).installUpdate()),
  };
}

const UPDATE_YOURSELF = 'Update it the way it was installed.';

async function stateWithout({ secrets = new PlainVault() }: HostPorts): Promise<DesktopState> {
  return {
    available: false,
    reason: `${NO_WINDOW} Starting on login, file dialogs and updates come with the desktop app.`,
    startOnLogin: null,
    secrets: await secrets.state(),
    update: { state: 'off', message: `${NO_WINDOW} ${UPDATE_YOURSELF}` },
  };
}

function need(desktop: DesktopPort | undefined, hint: string): DesktopPort {
  if (desktop) return desktop;
  throw new QuarryError({ code: 'NOT_RUNNING', message: `${NO_WINDOW} Only the desktop app can do this.`, hint });
}
