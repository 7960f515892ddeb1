import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { app, powerMonitor, protocol } from 'electron';
import type { WantedParts } from './app/domains.ts';
import { wantedParts } from './app/domains.ts';
import type { HostPorts } from './app/host/host-ports.ts';
import { NodeHost } from './app/node-host.ts';
import { serverParts } from './app/server-parts.ts';
import { debuggingSwitch, parseCommandLine } from './desktop/command-line.ts';
import { Desktop, type DesktopSettings } from './desktop/desktop.ts';
import { APP_SCHEME_PRIVILEGES } from './desktop/guards/app-protocol.ts';
import { guardContents } from './desktop/guards/page-guards.ts';
import { endHeadless, HEADLESS_PORTS, openHeadless } from './desktop/headless.ts';
import { LINK_SCHEME, pageOfLink } from './desktop/shell/deep-link.ts';
import { endOver } from './desktop/shell/fatal.ts';
import { type Config, loadConfig } from './settings/config.ts';
import { configSchema } from './settings/config-schema.ts';

/** As in build/electron-builder.ts: Windows shows notifications only for a program it knows by name. */
const APP_ID = 'org.quarry.desktop';

/** Whoever quits, or a system that shuts down, waits no longer than so many milliseconds for the node to close. */
const CLOSE_MS = 20_000;

const { headless, dataDir, configFile, page } = parseCommandLine(process.argv.slice(1));
const sources = { flags: { dataDir, configFile }, env: process.env };
/** Ends what runs; set once something does. */
let close: () => Promise<void> = async () => undefined;
let closed = false;

prepare();
// Not awaited: Electron gets ready only once this module is through.
if (headless) void runHeadless().catch(endHeadless);
else if (app.requestSingleInstanceLock()) void runDesktop().catch(endOver);
else app.quit(); // the first one has been told, and comes to the front

/** What has to be done before Electron is ready. */
function prepare(): void {
  const forbidden = app.isPackaged ? debuggingSwitch(app.commandLine) : undefined;
  if (forbidden !== undefined) {
    process.stderr.write(`Quarry does not start with --${forbidden}: it would let other programs steer it.\n`);
    process.exit(1);
  }
  app.enableSandbox();
  app.setName('Quarry');
  app.setAppUserModelId(APP_ID);
  // Beside the node's data folder, not in it: on macOS both would be called «quarry».
  const isTold = app.commandLine.hasSwitch('user-data-dir');
  if (!isTold) app.setPath('userData', join(app.getPath('appData'), 'Quarry Desktop'));
  protocol.registerSchemesAsPrivileged([APP_SCHEME_PRIVILEGES]);
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
  app.on('before-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    void Promise.race([close(), sleep(CLOSE_MS)]).finally(() => {
      closed = true;
      app.quit();
    });
  });
}

async function runHeadless(): Promise<void> {
  process.on('uncaughtException', endHeadless); // Electron would open a dialog, which nobody sees
  app.disableHardwareAcceleration();
  await app.whenReady();
  const parts = (config: Config) => serverParts(config, sources);
  const host = new NodeHost({ sources, ports: HEADLESS_PORTS, parts });
  close = () => host.close();
  host.on('stop', () => app.quit());
  if (!(await openHeadless(host))) app.exit(1);
}

async function runDesktop(): Promise<void> {
  let early = page;
  let desktop: Desktop | undefined;
  const show = (wanted?: string) => {
    early = wanted ?? early;
    void desktop?.show(wanted);
  };
  process.on('uncaughtException', endOver); // Electron would show the stack to whoever sits there
  registerLinks();
  app.on('second-instance', (_event, argv) => show(parseCommandLine(argv.slice(1)).page));
  app.on('open-url', (_event, link) => show(pageOfLink(link)));
  app.on('activate', () => show());
  // Where nobody listens, Electron quits. The window itself says when it is closed: the one that trains is open or closed whatever people do.
  app.on('window-all-closed', () => undefined);
  await app.whenReady();
  powerMonitor.on('shutdown', quitFirst);
  desktop = new Desktop({ host: makeDesktopHost, settings: earlySettings(), page: early });
  close = () => desktop?.close() ?? Promise.resolve();
  await desktop.open();
}

/** A system that shuts down waits until the node is closed. (The types of Electron leave out the event.) */
function quitFirst(...events: { preventDefault(): void }[]): void {
  for (const event of events) event.preventDefault();
  app.quit();
}

function makeDesktopHost(ports: HostPorts): NodeHost {
  const host = new NodeHost({ sources, ports, parts: desktopParts });
  host.on('stop', () => app.quit());
  return host;
}

/** Newcomers press Start at the end of the welcome; until then nothing is served. */
function desktopParts(config: Config): WantedParts {
  return wantedParts({ ...config, mineOnStart: config.mineOnStart && !config.showWelcome });
}

/** The window does not wait for the node. What is wrong with the settings is told when the node opens. */
function earlySettings(): DesktopSettings {
  try {
    return loadConfig(sources);
  } catch {
    // Loading them once more, the node says what is wrong.
    return { desktop: configSchema.shape.desktop.parse({}), language: 'system' };
  }
}

/** Links `quarry://…` open this app; out of a checkout it has to be said with which arguments. */
function registerLinks(): void {
  const [, script] = process.argv;
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
  else if (script) app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, [resolve(script)]);
}
