import { BrowserWindow, type IpcMainEvent, type MessagePortMain, type Session, session } from 'electron';
import { installedPath } from '../../base/installation.ts';
import { serveTrainer } from '../guards/app-protocol.ts';
import { APP_SCHEME, TRAINER_ORIGIN } from '../guards/origin.ts';
import { SHUT_PAGE, shutContents, shutSession } from '../guards/page-guards.ts';

/** In memory: nothing of it is kept. */
const PARTITION = 'quarry-trainer';
const PAGE_FOLDER = installedPath('out', 'trainer');
const PRELOAD_FILE = installedPath('out', 'preload', 'trainer.cjs');
/** On which the page hands over its port, see src-preload/trainer.ts. */
const CHANNEL = 'quarry:trainer';

export interface TrainerWindowOptions {
  /** The page is there, and this is its port. */
  onPort: (port: MessagePortMain) => void;
  /** There is no page, or no longer. Not called after {@link TrainerWindow.close}. */
  onGone: (why: string) => void;
}

/**
 * A window that nobody sees, whose page computes on the GPU for the trainer's process. It has no Node, no network, no files, no permission and nowhere to go: what it
 * computes with comes over its port. A resource.
 */
export class TrainerWindow {
  readonly #options: TrainerWindowOptions;
  readonly #window: BrowserWindow;
  #isClosed = false;

  constructor(options: TrainerWindowOptions) {
    this.#options = options;
    this.#window = new BrowserWindow({
      ...{ show: false, width: 200, height: 100, skipTaskbar: true, focusable: false, title: 'Quarry' },
      webPreferences: {
        ...SHUT_PAGE,
        session: shutTrainerSession(),
        preload: PRELOAD_FILE,
        devTools: false,
        backgroundThrottling: false, // it is never in the foreground
      },
    });
    const { webContents: contents } = this.#window;
    shutContents(contents);
    contents.ipc.once(CHANNEL, (event) => this.#take(event));
    contents.on('render-process-gone', (_event, { reason }) => this.#end(reason));
    this.#window.on('closed', () => this.#end('closed'));
    this.#window.loadURL(`${TRAINER_ORIGIN}/`).catch((error: Error) => this.#end(error.message));
  }

  /** Idempotent. */
  close(): void {
    this.#isClosed = true;
    if (!this.#window.isDestroyed()) this.#window.destroy();
  }

  #take({ senderFrame, sender, ports }: IpcMainEvent): void {
    const [port] = ports;
    const isOwn = senderFrame !== null && senderFrame === sender.mainFrame && senderFrame.origin === TRAINER_ORIGIN;
    if (port && isOwn && ports.length === 1) this.#options.onPort(port);
    else this.#end('it is another page');
  }

  #end(why: string): void {
    if (this.#isClosed) return;
    this.close();
    this.#options.onGone(why);
  }
}

/** The session is one object for as long as the app runs, and is shut once. */
function shutTrainerSession(): Session {
  const own = session.fromPartition(PARTITION);
  if (own.protocol.isProtocolHandled(APP_SCHEME)) return own;
  shutSession(own);
  own.protocol.handle(APP_SCHEME, serveTrainer(PAGE_FOLDER));
  return own;
}
