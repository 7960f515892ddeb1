import { ipcRenderer } from 'electron';

/** As much of the page as is used here. */
declare const window: {
  location: { origin: string };
  addEventListener(type: 'message', listener: (event: PageMessage) => void): void;
};
interface PageMessage {
  source: unknown;
  origin: string;
  data: unknown;
  ports: readonly InstanceType<typeof MessagePort>[];
}

/**
 * The whole of what the page gets from here: it may hand over one end of a message channel, and main then speaks the contract
 * on it. Nothing is exposed to the page; main checks who sent the port.
 */
window.addEventListener('message', ({ source, origin, data, ports }) => {
  if (source !== window || origin !== window.location.origin || data !== 'quarry:connect' || ports.length !== 1) return;
  ipcRenderer.postMessage('quarry:contract', null, [...ports]);
});
