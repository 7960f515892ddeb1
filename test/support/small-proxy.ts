import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy on this machine that opens tunnels (CONNECT), and remembers where to. */
export class SmallProxy {
  readonly tunnels: string[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer();

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async open(): Promise<this> {
    this.#server.on('connect', ({ url = '' }, client: Socket) => {
      this.tunnels.push(url);
      const { hostname, port } = new URL(`http://${url}`);
      const target = connect(Number(port), hostname, () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.pipe(target).pipe(client);
      });
      for (const socket of [client, target]) {
        this.#sockets.add(socket);
        socket.on('error', () => socket.destroy());
      }
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
