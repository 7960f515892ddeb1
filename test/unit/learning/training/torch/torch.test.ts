import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { Torch } from '../../../../../src-main/learning/training/torch/torch.ts';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import type { TorchProgress, TorchState } from '../../../../../src-preload/contract/learning-torch.ts';

const READY = {
  lock: 'l',
  variant: 'cpu',
  tool: 'uv',
  python: '3.12',
  torch: '2.15',
  env: 'e',
  program: '/p',
} as const;
const at = (bytes: number): TorchProgress => ({ phase: 'packages', bytes, of: 100 });

let state: TorchState;
let work: PromiseWithResolvers<void>;
let tell: (progress: TorchProgress) => void;
let installs: string[];
let torch: Torch;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-torch-'));
  await mkdir(join(folder, 'e', 'lib'), { recursive: true });
  await writeFile(join(folder, 'e', 'lib', 'torch.so'), 'x'.repeat(500));
  state = 'absent';
  work = Promise.withResolvers();
  installs = [];
  torch = new Torch({
    environment: {
      state: async () => state,
      installed: async () => (state === 'ready' ? READY : undefined),
      async size(variant) {
        if (variant === 'cuda') throw new QuarryError({ code: 'UNSUPPORTED', message: 'none' });
        return { download: 100, disk: 300 };
      },
      async install({ variant }, signal, onProgress = () => undefined) {
        installs.push(variant);
        state = 'installing';
        tell = onProgress;
        const stopped = Promise.withResolvers<never>();
        signal?.addEventListener('abort', () => stopped.reject(signal.reason));
        try {
          await Promise.race([work.promise, stopped.promise]);
          state = 'ready';
        } catch (error) {
          state = 'absent';
          throw error;
        }
        return READY;
      },
      async remove() {
        state = 'absent';
      },
    },
    folder,
    log: pino({ level: 'silent' }),
  });
  return () => rm(folder, { recursive: true });
});

const forever = new AbortController().signal;

describe('PyTorch', () => {
  it('says what there is, and what could be: nothing is downloaded by asking', async () => {
    const choices = [{ variant: 'cpu', download: 100, disk: 300 }];
    expect(await torch.view()).toEqual({ state: 'absent', installed: null, choices, progress: null });
    await expect(torch.trainer('/work', 1e9)).rejects.toMatchObject({ code: 'NOT_RUNNING' });
    expect(installs).toEqual([]);
    state = 'ready';
    const { installed } = await torch.view();
    expect(installed).toEqual({ variant: 'cpu', tool: 'uv', python: '3.12', torch: '2.15', bytes: 500 });
  });

  it('is installed once for all who look on, and tells how far it is', async () => {
    const first = torch.install('cpu', forever);
    const second = torch.install('cpu', forever);
    const [one, two] = [first.next(), second.next()];
    tell(at(40));
    expect([(await one).value, (await two).value]).toEqual([at(40), at(40)]);
    expect((await torch.view()).progress).toEqual(at(40));
    await expect(torch.install('cuda', forever).next()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    tell(at(100));
    work.resolve();
    expect(await Array.fromAsync(first)).toEqual([at(100)]);
    await Array.fromAsync(second);
    expect([installs, (await torch.view()).state]).toEqual([['cpu'], 'ready']);
  });

  it('goes on when nobody looks on any more', async () => {
    const page = new AbortController();
    const looking = torch.install('cpu', page.signal).next();
    tell(at(1));
    await looking;
    page.abort();
    expect((await torch.view()).state).toBe('installing');
    work.resolve();
    await torch.cancel();
    expect((await torch.view()).state).toBe('ready');
  });

  it('is cancelled, and can be tried again; a failure is told to who looks on', async () => {
    const looking = Array.fromAsync(torch.install('cpu', forever));
    const cancelled = expect(looking).rejects.toMatchObject({ code: 'CANCELLED' });
    await torch.cancel();
    await cancelled;
    const again = Array.fromAsync(torch.install('cpu', forever));
    const failed = expect(again).rejects.toThrow('no such host');
    work.reject(new Error('no such host'));
    await failed;
    expect(installs).toEqual(['cpu', 'cpu']);
    expect(await torch.view()).toMatchObject({ state: 'absent', progress: null });
  });
});
