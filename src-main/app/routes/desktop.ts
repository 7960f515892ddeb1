import type { DesktopState } from '../../../src-preload/contract/desktop.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, told, type Words } from '../../../src-preload/contract/saying.ts';
import { PlainVault } from '../../settings/secret-vault.ts';
import type { DesktopPort, HostPorts } from '../host/host-ports.ts';
import { modelsFolder } from '../models/model-library.ts';
import type { Core } from '../parts/core.ts';
import type { Domain } from './implementer.ts';

export interface DesktopRoutesNeeds {
  ports: HostPorts;
  config: Pick<Core['config'], 'dataDir' | 'models'>;
}

/** The contract's `desktop`. */
export function desktopRoutes({ os }: Domain<'desktop'>, { ports, config }: DesktopRoutesNeeds) {
  const port = (hint: Words) => need(ports.desktop, hint);
  return {
    state: os.state.handler(() => ports.desktop?.state() ?? stateWithout(ports)),
    setStartOnLogin: os.setStartOnLogin.handler(async ({ input }) => {
      const desktop = port(say('desktop.systemStart'));
      await desktop.setStartOnLogin(input.on);
      return await desktop.state();
    }),
    pickModelFile: os.pickModelFile.handler(async () => {
      return { path: await port(say('desktop.typeFile')).pickModelFile() };
    }),
    pickFolder: os.pickFolder.handler(async () => {
      return { path: await port(say('desktop.typeFolder')).pickFolder() };
    }),
    openFolder: os.openFolder.handler(async ({ input }) => {
      const path = input.folder === 'data' ? config.dataDir : modelsFolder(config);
      await port(say('desktop.openYourself', { path })).openFolder(path);
    }),
    checkForUpdate: os.checkForUpdate.handler(() => port(UPDATE_YOURSELF).checkForUpdate()),
    installUpdate: os.installUpdate.handler(() => port(UPDATE_YOURSELF).installUpdate()),
  };
}

const UPDATE_YOURSELF = say('desktop.updateYourself');

async function stateWithout({ secrets = new PlainVault() }: HostPorts): Promise<DesktopState> {
  return {
    available: false,
    ...told({ reason: say('desktop.withoutWindow') }),
    startOnLogin: null,
    secrets: await secrets.state(),
    update: { state: 'off', ...told({ message: say('desktop.noUpdates') }) },
  };
}

function need(desktop: DesktopPort | undefined, hint: Words): DesktopPort {
  if (desktop) return desktop;
  throw new QuarryError({ code: 'NOT_RUNNING', message: say('desktop.only'), hint });
}
