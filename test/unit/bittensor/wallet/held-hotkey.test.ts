import { describe, expect, it } from 'vitest';
import { holdHotkey, type KeyInProcess } from '../../../../src-main/bittensor/wallet/held-hotkey.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { testSigner } from '../../../support/bittensor-signer.ts';

interface Scripted extends KeyInProcess {
  die(): void;
  closed: boolean;
  answers: boolean;
}

const alice = await testSigner('//Alice');
const bob = await testSigner('//Bob');

function keyOf(signer = alice): Scripted {
  let ended: QuarryError | undefined;
  const living = async <T>(value: () => Promise<T>) => {
    if (ended) throw ended;
    return value();
  };
  const key: Scripted = {
    ...{ ...signer, closed: false, answers: true },
    sign: (message) => living(() => signer.sign(message)),
    ended: () => ended,
    held: () => (key.answers ? living(async () => signer.address) : new Promise(() => {})),
    async close() {
      key.closed = true;
      ended ??= new QuarryError({ code: 'CANCELLED', message: 'It was closed.' });
    },
    die() {
      ended ??= new QuarryError({ code: 'INTERNAL', message: 'The process ended: /secret/path' });
    },
  };
  return key;
}

/** A hotkey whose processes are these, one after the other; an error stands for one that does not start. */
async function held({ keys, hasPassword = false }: { keys: (Scripted | Error)[]; hasPassword?: boolean }) {
  const time = { now: 0 };
  let opened = 0;
  const open = async () => {
    const next = keys[opened++] ?? new Error('There are no more.');
    if (next instanceof Error) throw next;
    return next;
  };
  const hotkey = await holdHotkey({ open, hasPassword, answerMs: 50, now: () => time.now });
  return { hotkey, time, opened: () => opened };
}

const message = Buffer.from('a message');

describe('a hotkey that is held', () => {
  it('signs with the same process for as long as that lives', async () => {
    const { hotkey, opened } = await held({ keys: [keyOf()] });
    await hotkey.check();
    expect(await hotkey.sign(message)).toHaveLength(64);
    expect([hotkey.address, opened()]).toEqual([alice.address, 1]);
  });

  it('is opened again when its process has ended, once for all who sign then', async () => {
    const [first, second] = [keyOf(), keyOf()];
    const { hotkey, opened } = await held({ keys: [first, second] });
    first.die();
    await Promise.all([hotkey.sign(message), hotkey.sign(message), hotkey.check()]);
    expect(opened()).toBe(2);
  });

  it('is not, where that takes a password: who asks is told', async () => {
    const key = keyOf();
    const { hotkey, opened } = await held({ keys: [key, keyOf()], hasPassword: true });
    key.die();
    for (const asked of [hotkey.check(), hotkey.sign(message)]) {
      await expect(asked).rejects.toMatchObject({
        ...{ code: 'NOT_RUNNING', retryable: false, hint: expect.stringMatching(/has a password.*enter that again/) },
        cause: { code: 'INTERNAL' },
      });
    }
    expect(opened()).toBe(1);
  });

  it('tells nobody why: that may be a path', async () => {
    const key = keyOf();
    const { hotkey } = await held({ keys: [key, new Error('/secret/path is not there')] });
    key.die();
    const error = QuarryError.from(await hotkey.check().catch((thrown: unknown) => thrown));
    expect(`${error.message} ${error.hint}`).toMatch(/has ended\. It is started again by itself/);
    expect(`${error.message} ${error.hint}`).not.toMatch(/secret/);
    expect(error.cause).toMatchObject({ message: '/secret/path is not there' });
  });

  it('is tried again later, and later each time, until it opens', async () => {
    const first = keyOf();
    const { hotkey, time, opened } = await held({ keys: [first, new Error('1'), new Error('2'), keyOf()] });
    first.die();
    await expect(hotkey.check()).rejects.toMatchObject({ cause: { message: '1' } });
    await expect(hotkey.check()).rejects.toMatchObject({ cause: { message: '1' } });
    expect(opened()).toBe(2);
    time.now = 1_000;
    await expect(hotkey.check()).rejects.toMatchObject({ cause: { message: '2' } });
    time.now = 2_000;
    await expect(hotkey.check()).rejects.toMatchObject({ cause: { message: '2' } });
    time.now = 3_000;
    await hotkey.check();
    expect(opened()).toBe(4);
  });

  it('is not started on and on where it ends at once, and at once where it has lived for long', async () => {
    const keys = [keyOf(), keyOf(), keyOf(), keyOf()];
    const { hotkey, time, opened } = await held({ keys });
    keys[0]?.die();
    await hotkey.check();
    keys[1]?.die();
    await expect(hotkey.check()).rejects.toMatchObject({ code: 'NOT_RUNNING' });
    time.now = 1_000;
    await hotkey.check();
    time.now = 100_000;
    keys[2]?.die();
    await hotkey.check();
    expect(opened()).toBe(4);
  });

  it('is ended where it does not answer, and opened again: but not where that takes a password', async () => {
    const [first, second] = [keyOf(), keyOf()];
    const { hotkey } = await held({ keys: [first, second] });
    first.answers = false;
    await expect(hotkey.check()).rejects.toMatchObject({ message: expect.stringContaining('does not answer') });
    expect(first.closed).toBe(true);
    await hotkey.check();

    const typed = keyOf();
    const locked = await held({ keys: [typed], hasPassword: true });
    typed.answers = false;
    await expect(locked.hotkey.check()).rejects.toMatchObject({ hint: expect.stringContaining('password') });
    expect(typed.closed).toBe(false);
    typed.answers = true; // it was only stopped
    await locked.hotkey.check();
  });

  it('is never another one, although its file may be', async () => {
    const [first, other] = [keyOf(), keyOf(bob)];
    const { hotkey } = await held({ keys: [first, other] });
    first.die();
    await expect(hotkey.sign(message)).rejects.toMatchObject({ cause: { code: 'BAD_REQUEST' } });
    expect(other.closed).toBe(true);
  });

  it('that ends amid a signature says that', async () => {
    const key = keyOf();
    key.sign = async () => {
      key.die();
      throw key.ended();
    };
    const { hotkey } = await held({ keys: [key] });
    await expect(hotkey.sign(message)).rejects.toMatchObject({ code: 'NOT_RUNNING' });
  });

  it('stays closed', async () => {
    const key = keyOf();
    const { hotkey, opened } = await held({ keys: [key, keyOf()] });
    await hotkey.close();
    await hotkey.close();
    await expect(hotkey.sign(message)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(opened()).toBe(1);
  });
});
