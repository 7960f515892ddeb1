import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Router } from '../../../../src-main/bittensor/axon/router.ts';
import { FakeRouter } from '../../../support/fake-router.ts';
import { testLog as log } from '../../../support/mesh-node.ts';

/** A router at home, and who asks it. Every computer that runs tests has a network of its own to be mapped to. */
async function openRouter() {
  const home = new FakeRouter();
  await home.start();
  onTestFinished(() => home.stop());
  const router = new Router({ descriptor: home.descriptor, log });
  onTestFinished(() => router.close());
  return { home, router };
}

const hasNetwork = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ family, internal }) => family === 'IPv4' && !internal),
);

describe('a router', () => {
  it.skipIf(!hasNetwork)('is found by who searches the network for it', async () => {
    const home = new FakeRouter();
    await home.start({ onNetwork: true });
    onTestFinished(() => home.stop());
    const router = new Router({ log });
    onTestFinished(() => router.close());
    expect(await router.open(8_091)).toEqual({ ip: '203.0.113.9', port: 8_091 });
  });

  it('lets others in, says where, and is told when nobody is to come in any more', async () => {
    const { home, router } = await openRouter();
    expect(await router.open(8_091)).toEqual({ ip: '203.0.113.9', port: 8_091 });
    expect([...home.open]).toEqual([[8_091, { client: expect.any(String), port: 8_091 }]]);
    home.externalIp = '203.0.113.10';
    expect(await router.open(8_091)).toEqual({ ip: '203.0.113.10', port: 8_091 });
    expect(home.asked.filter((action) => action === 'AddAnyPortMapping')).toHaveLength(1);
    await router.close();
    expect([home.asked.at(-1), home.open.size]).toEqual(['DeletePortMapping', 0]);
    expect(await router.open(8_091)).toBeUndefined();
  });

  it('that has given the port to somebody else opens another', async () => {
    const { home, router } = await openRouter();
    home.reserved = 40_123;
    expect(await router.open(8_091)).toEqual({ ip: '203.0.113.9', port: 40_123 });
  });

  it.each([
    ['nonsense', 'good evening'],
    ['no address', '<?xml version="1.0"?><root/>'],
    ['without end', `<?xml version="1.0"?><root>${'<a>'.repeat(200_000)}`],
  ])('that answers %s is as good as none', async (_, answer) => {
    const { home, router } = await openRouter();
    home.answer = answer;
    expect(await router.open(8_091)).toBeUndefined();
  });

  it('that names what is no address is not believed', async () => {
    const { home, router } = await openRouter();
    home.externalIp = 'http://evil.example/';
    expect(await router.open(8_091)).toBeUndefined();
  });

  it('that is not there, or whose process dies, is none', async () => {
    const { home, router } = await openRouter();
    await router.open(8_091);
    const warn = vi.spyOn(log, 'warn').mockReturnValue();
    home.answer = '';
    const asked = router.open(8_092);
    await router.close();
    expect(await asked).toBeUndefined();
    warn.mockRestore();
  });
});
