import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ModelDesk, type ModelDeskOptions } from '../../../../src-main/app/models/model-desk.ts';
import { ModelShares, type ModelSharesOptions } from '../../../../src-main/app/models/model-shares.ts';
import { installedPath } from '../../../../src-main/base/installation.ts';
import type { Offer } from '../../../../src-main/mesh/sharing/messages.ts';
import { offeredModels, type PeerOffer } from '../../../../src-main/mesh/sharing/offer-directory.ts';
import { ModelLibrary } from '../../../../src-main/models/library/library.ts';
import type { WantedModel } from '../../../../src-main/models/wanted-model.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { PullRequest } from '../../../../src-preload/contract/models.ts';

const TINY = installedPath('resources', 'tiny.gguf');

let dir: string;
let library: ModelLibrary;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-shares-'));
  library = new ModelLibrary({ folder: join(dir, 'models'), tinyPath: TINY, now: () => 1 });
  await library.open();
});
afterEach(async () => {
  await library.close();
  await rm(dir, { recursive: true, force: true });
});

it('the built-in model takes no room for sharing, whatever it is called', async () => {
  const shared: string[] = [];
  const sharing = { share: async ({ name }: { name: string }) => void shared.push(name) };
  const needNetwork = () => ({ sharing, discovered: async () => undefined });
  const shares = new ModelShares({ library, needNetwork } as unknown as ModelSharesOptions);
  await copyFile(TINY, join(dir, 'practice.gguf'));
  await library.import(join(dir, 'practice.gguf'));
  for (const name of ['tiny', TINY, 'practice']) {
    await expect(shares.share(name)).rejects.toMatchObject({ message: 'Everybody has the built-in model.' });
  }
  expect(shared).toEqual([]);
});

describe('a model that others share', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }));
  afterEach(() => void vi.useRealTimers());

  const digest = (digit: string) => digit.repeat(64);
  const [HONEST, STRANGER, OTHER] = [digest('1'), digest('2'), digest('3')];
  const FILE = digest('f');
  const strange = { sha256: digest('9') };

  function offer(from: string, more: Partial<Offer> = {}): PeerOffer {
    const facts = { name: 'poet', file: 'poet.gguf', bytes: 1_000, sha256: FILE, treeHash: digest('c') };
    const words = { licence: 'MIT', quantisation: 'Q8_0', contextLength: 2_048 };
    const whole = { type: 'model-offer', seeder: from, from, ...facts, ...words, ...more } as Offer;
    return { offer: whole, peer: { id: from } as PeerOffer['peer'] };
  }

  /** What is to be downloaded when this is asked for, while others offer that; each look takes a second. */
  async function pulled(
    request: Pick<PullRequest, 'name' | 'sha256'> & { trust?: boolean },
    at: PeerOffer[] | (() => PeerOffer[]),
    trusted: string[] = [],
  ): Promise<WantedModel> {
    const offers = () => offeredModels(typeof at === 'function' ? at() : at, new Set(trusted));
    const network = { sharing: { offers }, discovered: async () => void vi.setSystemTime(Date.now() + 1_000) };
    const catalogue = { bySha256: () => undefined, has: (name: string) => name === 'qwen3-4b' };
    const needed = { library, catalogue, network, needNetwork: () => network };
    const shares = new ModelShares(needed as unknown as ModelSharesOptions);
    const downloads = { start: vi.fn(async () => undefined) };
    const config = { models: { fromPeers: true } };
    const desk = new ModelDesk({ config, library, catalogue, shares, downloads } as unknown as ModelDeskOptions);
    await desk.pull({ from: 'anywhere', trust: false, ...request });
    const [[wanted] = []] = downloads.start.mock.calls as unknown as [WantedModel][];
    if (!wanted) throw new Error('nothing was begun');
    return wanted;
  }

  it.each([false, true])(
    'by its name, is the trusted signer’s, also where a stranger was heard first (trust: %s)',
    async (trust) => {
      const late = () => [offer(STRANGER, strange), ...(Date.now() < 2_000 ? [] : [offer(HONEST)])];
      const wanted = await pulled({ name: 'poet', trust }, late, [HONEST]);
      expect(wanted).toEqual({ name: 'poet', urls: [], bytes: 1_000, sha256: FILE, licence: 'MIT' });
    },
  );

  it('by its name, is to be pulled by its SHA-256 where strangers mean several files, also one after the other', async () => {
    const late = () => [offer(STRANGER, strange), ...(Date.now() < 2_000 ? [] : [offer(HONEST)])];
    await expect(pulled({ name: 'poet', trust: true }, late)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Peers share 2 different files as «poet».',
    });
  });

  it('by its SHA-256, has neither name nor length nor licence of strangers, however many say the same', async () => {
    const lie = { name: 'tiny-poet', bytes: 2 ** 40, licence: 'none' };
    const wanted = await pulled({ sha256: FILE, trust: true }, [
      offer(HONEST),
      offer(STRANGER, lie),
      offer(OTHER, lie),
    ]);
    expect(wanted).toEqual({ name: 'model-ffffffff', urls: [], sha256: FILE });
  });

  it('by its SHA-256, is called as whoever pulls it says, or as a trusted signer does', async () => {
    const offers = [offer(STRANGER, { name: 'tiny-poet', bytes: 2 ** 40 }), offer(HONEST)];
    expect(await pulled({ sha256: FILE, name: 'mine', trust: true }, offers)).toMatchObject({ name: 'mine' });
    expect(await pulled({ sha256: FILE }, offers, [HONEST])).toMatchObject({ name: 'poet', bytes: 1_000 });
  });

  it('by its SHA-256, has no name of the catalogue', async () => {
    const offers = [offer(STRANGER, { name: 'qwen3-4b' })];
    expect(await pulled({ sha256: FILE, trust: true }, offers)).toMatchObject({ name: 'model-ffffffff' });
    await expect(pulled({ sha256: FILE, name: 'qwen3-4b', trust: true }, offers)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      field: 'name',
    });
  });

  it('is not pulled again where its file is here', async () => {
    const { sha256 } = await library.find('tiny');
    await expect(pulled({ sha256, trust: true }, [offer(STRANGER, { sha256 })])).rejects.toThrow('nothing was begun');
  });

  it('says who offers which file where nobody is trusted, and has no command that takes it', async () => {
    const error = await pulled({ name: 'poet' }, [
      offer(STRANGER, strange),
      offer(OTHER, { ...strange, bytes: 7 }),
    ]).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof QuarryError)) throw new Error('it was not refused');
    expect(error.code).toBe('UNAUTHORIZED');
    for (const fact of ['poet', strange.sha256.slice(0, 12), STRANGER.slice(0, 8), OTHER.slice(0, 8)])
      expect(error.message).toContain(fact);
    expect(`${error.message} ${error.hint}`).not.toContain(strange.sha256);
    expect(error.hint).not.toContain('quarry models pull');
    expect(error.hint).toMatch(/compare/i);
  });
});
