import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { HubFetch, HubNonsense, STAND_IN } from '../../../../src-main/clips/dataset/upload/hub-fetch.ts';

const hub = (endpoint: string) =>
  new HubFetch({ endpoint, token: 'secret', signal: new AbortController().signal, now: Date.now });

it.each([
  'http://127.0.0.1:9',
  'https://localhost:9',
  'https://[::1]:9',
  'https://10.0.0.1:9',
  'https://169.254.169.254',
])('a hub elsewhere has nothing sent into this network: %s', async (inside) => {
  await expect(hub('https://hub.example').fetch(`${inside}/x`, { method: 'PUT', body: 'x' })).rejects.toThrow(
    HubNonsense,
  );
});

it('gives its token to the hub alone, in place of the one that its client sets, and only where one belongs', async () => {
  const told: [path: string, token: string | undefined][] = [];
  const serve = async () => {
    const server = createServer((request, response) => {
      told.push([request.url ?? '', request.headers.authorization]);
      response.end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const [here, storage] = [await serve(), await serve()];
  const headers = { Authorization: `Bearer ${STAND_IN}` };
  const asked = hub(`${here}/mirror`);
  await asked.fetch(`${here}/api/whoami`, { headers });
  await asked.fetch(`${here}/public`);
  await asked.fetch(`${storage}/put`, { method: 'PUT', body: 'x', headers });
  expect(told).toEqual([
    ['/api/whoami', 'Bearer secret'],
    ['/public', undefined],
    ['/put', undefined],
  ]);
});

it('one on this computer may have its storage here', async () => {
  await expect(hub('http://127.0.0.1:9').fetch('http://127.0.0.1:1/x')).rejects.toThrow(TypeError); // nobody is there
});
