import pino from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SubnetLook, type SubnetLookOptions } from '../../../../src-main/app/validator/subnet-look.ts';
import type { Committed } from '../../../../src-main/bittensor/chain/subnet.ts';

const log = pino({ level: 'silent' });
const told = (registeredAt: number) =>
  ({ neurons: [{ uid: 1, hotkey: 'a', registeredAt }], commitments: new Map() }) as unknown as Committed;

function look(
  committed: (asked: number) => Promise<Committed | undefined>,
  times: Partial<Pick<SubnetLookOptions, 'freshMs' | 'retryMs' | 'patienceMs'>> = {},
) {
  let asked = 0;
  let netuid: number | undefined = 3;
  const subnet = new SubnetLook({
    ...{ netuid: () => netuid, committed: () => committed(++asked), patienceMs: 20, log },
    ...times,
  });
  const since = async () => (await subnet.lately([]))?.('a')?.since;
  const choose = (wanted: number | undefined) => {
    netuid = wanted;
  };
  return { subnet, since, choose, asked: () => asked };
}

it('waits for the first answer, and does not ask each time', async () => {
  const { since, asked } = look(async () => told(7));
  expect([await since(), await since(), asked()]).toEqual([7, 7, 1]);
});

it('tells nothing where there is no subnet, none of its number, or no answer, and waits for that no longer than a moment', async () => {
  const { since, choose, asked } = look(() => new Promise(() => {}));
  choose(undefined);
  expect([await since(), asked()]).toEqual([undefined, 0]);
  choose(3);
  expect([await since(), await since(), asked()]).toEqual([undefined, undefined, 1]);
  expect(await look(async () => undefined).since()).toBeUndefined();
  expect(await look(() => Promise.reject(new Error('away'))).since()).toBeUndefined();
});

it('takes what was told before on where the chain is away, and nothing of another subnet', async () => {
  const answers = [told(7), told(8)];
  const { since, choose, asked } = look(
    async (at) => {
      const answer = answers[at - 1];
      if (!answer) throw new Error('away');
      return answer;
    },
    { freshMs: 0 },
  );
  expect(await since()).toBe(7);
  await expect.poll(since).toBe(8); // what is old is told while the chain is asked anew
  expect(await since()).toBe(8);
  expect(asked()).toBeGreaterThan(2);
  choose(4);
  expect(await since()).toBeUndefined();
});

it('asks a chain sooner again that did not answer', async () => {
  const { since, asked } = look(async (at) => (at === 1 ? Promise.reject(new Error('away')) : told(9)), { retryMs: 0 });
  expect(await since()).toBeUndefined();
  expect([await since(), asked()]).toEqual([9, 2]);
});

it('asks for nothing once it is closed, and whoever waits then waits no longer', async () => {
  const { subnet, since, asked } = look(() => new Promise(() => {}), { patienceMs: 60_000 });
  const waiting = since();
  subnet.close();
  expect([await waiting, await since(), asked()]).toEqual([undefined, undefined, 1]);
  subnet.close();
});

it('tells whoever cannot go on without it what it knows, at once, and says why it knows nothing', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const away = new Error('away');
  const answers = [away, away, told(7), away, told(8)];
  const { subnet, since, asked } = look(
    async (at) => {
      const answer = answers[at - 1];
      if (!answer || answer === away) throw away;
      return answer as Committed;
    },
    { freshMs: 400, retryMs: 200 },
  );
  const known = async () => (await subnet.known(3))?.neurons[0]?.registeredAt;
  await expect(known()).rejects.toBe(away);
  expect([await since(), asked()]).toEqual([undefined, 1]); // whoever looks at weights waits until it is time
  await expect(known()).rejects.toBe(away);
  expect([await known(), await known(), await since(), asked()]).toEqual([7, 7, 7, 3]);
  vi.advanceTimersByTime(400);
  expect([await known(), await known(), asked()]).toEqual([7, 7, 4]); // what is old is told while the chain is asked anew, in vain
  vi.advanceTimersByTime(199);
  expect([await known(), asked()]).toEqual([7, 4]);
  vi.advanceTimersByTime(1);
  expect([await known(), await known(), asked()]).toEqual([7, 8, 5]);
  subnet.close();
  const before = asked();
  expect([await known(), asked()]).toEqual([8, before]);
});

it('tells of no subnet where there is none, and nothing of another one that answers late', async () => {
  const late = Promise.withResolvers<Committed>();
  const { subnet, choose } = look(async (at) => (at === 1 ? late.promise : told(8)));
  const first = subnet.known(3);
  choose(4);
  expect((await subnet.known(4))?.neurons[0]?.registeredAt).toBe(8);
  late.resolve(told(7));
  expect(await first).toBeUndefined();
  expect((await subnet.lately([]))?.('a')?.since).toBe(8);
  expect(await look(async () => undefined).subnet.known(3)).toBeUndefined();
});

it('does not let whoever has been told wait for a chain that is silent now', async () => {
  const { subnet, asked } = look((at) => (at === 1 ? Promise.resolve(told(7)) : new Promise(() => {})), { freshMs: 0 });
  const known = async () => (await subnet.known(3))?.neurons[0]?.registeredAt;
  expect([await known(), await known(), asked()]).toEqual([7, 7, 2]);
});
