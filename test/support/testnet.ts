import createTestnet from 'hyperdht/testnet.js';

/** A DHT on the loopback interface: what a mesh needs to find its peers, without the internet. */
export interface Testnet {
  bootstrap: { host: string; port: number }[];
  close(): Promise<void>;
}

/** @param size number of DHT nodes; three are enough for announcements to be found */
export async function openTestnet(size = 3): Promise<Testnet> {
  const testnet = await createTestnet(size, { host: '127.0.0.1' });
  return { bootstrap: testnet.bootstrap, close: () => testnet.destroy() };
}
