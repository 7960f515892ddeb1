import { expect, it } from 'vitest';
import { HubFetch, HubNonsense } from '../../../../src-main/clips/dataset/upload/hub-fetch.ts';

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

it('one on this computer may have its storage here', async () => {
  await expect(hub('http://127.0.0.1:9').fetch('http://127.0.0.1:1/x')).rejects.toThrow(TypeError); // nobody is there
});
