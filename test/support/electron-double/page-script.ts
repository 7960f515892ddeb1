import { readFileSync } from 'node:fs';

/** What the script in the page tells the driver. */
export type FromPage =
  | { type: 'document' }
  | { type: 'ipc'; channel: string; ports: string[] }
  | { type: 'port-message'; port: string; data: string }
  | { type: 'port-close'; port: string };

/** Global functions that connect page and driver. */
export const TO_DRIVER = '__electronDoubleToDriver';
export const FROM_DRIVER = '__electronDoubleFromDriver';

/** Electron's side of a page: `ipcRenderer` for the built preload script, which then runs before the page's own scripts. */
export function pageScript(preload: string): string {
  return `(() => {
    if (window.top !== window || location.protocol === 'about:') return;
    const tell = (message) => window.${TO_DRIVER}(message);
    tell({ type: 'document' });
    const ports = new Map();
    const adopt = (port) => {
      const id = Math.random().toString(36).slice(2);
      ports.set(id, port);
      port.addEventListener('message', ({ data }) => tell({ type: 'port-message', port: id, data }));
      port.addEventListener('close', () => tell({ type: 'port-close', port: id }));
      port.start();
      return id;
    };
    window.${FROM_DRIVER} = ({ type, port, data }) => {
      if (type === 'port-message') ports.get(port)?.postMessage(data);
      if (type === 'port-close') ports.get(port)?.close();
    };
    const ipcRenderer = {
      postMessage: (channel, message, transfer = []) =>
        void Promise.resolve().then(() => tell({ type: 'ipc', channel, ports: transfer.map(adopt) })),
    };
    const webUtils = { getPathForFile: (file) => (file.name ? '/home/ada/' + file.name : '') };
    const require = (name) => {
      if (name === 'electron') return { ipcRenderer, webUtils };
      throw new Error('A sandboxed preload script cannot require ' + name);
    };
    const module = { exports: {} };
    ((exports) => {
      ${readFileSync(preload, 'utf8')}
    })(module.exports);
  })();`;
}
