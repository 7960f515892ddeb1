import type { Port } from './calls.ts';
import { serveTraining } from './served-training.ts';

/** Entry of the page that trains: it has nothing but a port to the trainer's process, which the preload script hands on. */
const { port1, port2 } = new MessageChannel();
const page = globalThis as unknown as {
  location: { origin: string };
  postMessage(message: unknown, origin: string, transfer: unknown[]): void;
};
const own = port1 as unknown as {
  postMessage(message: unknown): void;
  onmessage: (event: { data: unknown }) => void;
  onclose: () => void;
};
const port: Port = {
  send: (message) => own.postMessage(message),
  onMessage(listener) {
    own.onmessage = ({ data }) => listener(data);
  },
  onClose(listener) {
    own.onclose = listener;
  },
};
serveTraining(port);
page.postMessage('quarry:trainer', page.location.origin, [port2]);
