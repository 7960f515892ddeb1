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

/** The page that trains on the GPU gets nothing from here. It may hand over one end of a message channel, which main gives to the trainer's process. */
window.addEventListener('message', ({ source, origin, data, ports }) => {
  if (source !== window || origin !== window.location.origin || data !== 'quarry:trainer' || ports.length !== 1) return;
  ipcRenderer.postMessage('quarry:trainer', null, [...ports]);
});
