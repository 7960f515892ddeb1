import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const IGD = 'urn:schemas-upnp-org:device:InternetGatewayDevice:2';
const WAN = 'urn:schemas-upnp-org:service:WANIPConnection:2';
const SSDP = { address: '239.255.255.250', port: 1900 };

/** A router at home, as far as UPnP goes: it answers searches on the network, describes itself, and opens ports. */
export class FakeRouter {
  /** Ports that are open: outside → inside. */
  readonly open = new Map<number, { client: string; port: number }>();
  /** What was asked of it, by the names of UPnP. */
  readonly asked: string[] = [];
  externalIp = '203.0.113.9';
  /** Another port than the one that is asked for. */
  reserved: number | undefined;
  /** In the place of every answer. */
  answer: string | undefined;
  readonly #server: Server;
  #ssdp: Socket | undefined;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request)).toString();
      response.setHeader('content-type', 'text/xml');
      if (this.answer !== undefined) response.end(this.answer);
      else response.end(request.method === 'POST' ? this.#act(body) : description());
    });
  }

  /** Where it describes itself. */
  get descriptor(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/rootDesc.xml`;
  }

  /** @param onNetwork whether it answers those who search the network for it */
  async start({ onNetwork = false } = {}): Promise<void> {
    await once(this.#server.listen(0), 'listening');
    if (!onNetwork) return;
    const ssdp = createSocket({ type: 'udp4', reuseAddr: true });
    this.#ssdp = ssdp;
    ssdp.on('message', (message, from) => {
      if (!message.toString().startsWith('M-SEARCH')) return;
      const { descriptor } = this;
      const lines = ['HTTP/1.1 200 OK', 'CACHE-CONTROL: max-age=120', `ST: ${IGD}`, `USN: uuid:fake::${IGD}`, 'EXT:'];
      ssdp.send([...lines, 'SERVER: fake', `LOCATION: ${descriptor}`, '', ''].join('\r\n'), from.port, from.address);
    });
    await new Promise<void>((resolve) => ssdp.bind(SSDP.port, resolve));
    ssdp.addMembership(SSDP.address);
  }

  async stop(): Promise<void> {
    this.#ssdp?.close();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #act(body: string): string {
    const [, action = ''] = /<u:(\w+)/.exec(body) ?? [];
    const value = (name: string) => new RegExp(`<${name}>(.*?)</${name}>`).exec(body)?.[1] ?? '';
    this.asked.push(action);
    const outside = Number(value('NewExternalPort'));
    if (action === 'AddAnyPortMapping') {
      const given = this.reserved ?? outside;
      this.open.set(given, { client: value('NewInternalClient'), port: Number(value('NewInternalPort')) });
      return envelope(action, `<NewReservedPort>${given}</NewReservedPort>`);
    }
    if (action === 'DeletePortMapping') this.open.delete(outside);
    return envelope(action, `<NewExternalIPAddress>${this.externalIp}</NewExternalIPAddress>`);
  }
}

function envelope(action: string, inside: string): string {
  return `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><u:${action}Response xmlns:u="${WAN}">${inside}</u:${action}Response></s:Body></s:Envelope>`;
}

function description(): string {
  const service = `<service><serviceType>${WAN}</serviceType><serviceId>wan</serviceId><controlURL>/control</controlURL><eventSubURL>/event</eventSubURL><SCPDURL>/scpd.xml</SCPDURL></service>`;
  return `<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><device><deviceType>${IGD}</deviceType><UDN>uuid:fake</UDN><serviceList>${service}</serviceList></device></root>`;
}
