import type { Port } from '../page/calls.ts';

/** As much as is used of Electron's MessagePortMain. */
interface ElectronPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
  start(): void;
}

/** What {@link handedPort} waits for: emitted of `process` by Electron's entry of our processes (desktop/child/utility-child.ts). */
const EVENT = 'quarry:page';

/** The port to the page beside this process, as soon as the page is there; never, where it was started without. */
export function handedPort(): Promise<Port> {
  return new Promise((resolve) => {
    (process as NodeJS.EventEmitter).once(EVENT, (port: ElectronPort) => {
      resolve({
        send: (message) => port.postMessage(message),
        onMessage(listener) {
          port.on('message', ({ data }) => listener(data));
          port.start();
        },
        onClose: (listener) => port.on('close', listener),
      });
    });
  });
}
