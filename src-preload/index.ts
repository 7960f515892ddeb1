import { ipcRenderer, webUtils } from 'electron';

/** As much of the page as is used here. */
declare const window: {
  location: { origin: string };
  addEventListener(type: 'message', listener: (event: PageMessage) => void): void;
  addEventListener(type: 'drop', listener: (event: FileDrop) => void): void;
  postMessage(message: unknown, origin: string): void;
};
interface PageMessage {
  source: unknown;
  origin: string;
  data: unknown;
  ports: readonly InstanceType<typeof MessagePort>[];
}
interface FileDrop {
  dataTransfer: { files: ArrayLike<Parameters<typeof webUtils.getPathForFile>[0]> } | null;
}

/**
 * The page gets no function and no object from here. It may hand over one end of a message channel, and main then speaks the
 * contract on it; main checks who sent the port.
 */
window.addEventListener('message', ({ source, origin, data, ports }) => {
  if (source !== window || origin !== window.location.origin || data !== 'quarry:connect' || ports.length !== 1) return;
  ipcRenderer.postMessage('quarry:contract', null, [...ports]);
});

/** Of a file that somebody drops on it, the page is told the path: only Electron knows it. */
window.addEventListener('drop', ({ dataTransfer }) => {
  const [file] = Array.from(dataTransfer?.files ?? []);
  const path = file && webUtils.getPathForFile(file);
  if (path) window.postMessage({ dropped: path }, window.location.origin);
});
