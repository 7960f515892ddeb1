import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AdapterOffers, type AdapterOffersOptions } from '../../../../src-main/app/learning/adapter-offers.ts';
import type { AdapterOffer } from '../../../../src-main/mesh/sharing/messages.ts';
import { offeredAdapters, type PeerOffer } from '../../../../src-main/mesh/sharing/offer-directory.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';

const digest = (digit: string) => digit.repeat(64);
const FILE = digest('f');
const FALSE_FILE = digest('9');
const BASE = digest('b');
const [HONEST, STRANGER, OTHER] = [digest('1'), digest('2'), digest('3')];

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

function offer(from: string, more: Partial<AdapterOffer> = {}): PeerOffer {
  const facts = { name: 'formal', number: 4, bytes: 1_000, sha256: FILE, treeHash: digest('c'), base: BASE };
  const whole = { type: 'adapter-offer', seeder: from, from, ...facts, baseName: 'SmolLM2', ...more } as AdapterOffer;
  return { offer: whole, peer: { id: from } as PeerOffer['peer'] };
}

/** What others offer at a time, and whom this node trusts; it has the models `SmolLM2` and `tiny`. Each look takes a second. */
function offers(at: PeerOffer[] | (() => PeerOffer[]), trusted: string[] = []): AdapterOffers {
  const signers = new Set(trusted);
  const sharing = {
    adapterOffers: () => offeredAdapters(typeof at === 'function' ? at() : at, signers),
    peers: 3,
    trusts: (signer: string) => signers.has(signer),
  };
  const network = { sharing, discovered: async () => void vi.setSystemTime(Date.now() + 1_000) };
  const models = [
    { sha256: BASE, name: 'SmolLM2', path: '/SmolLM2' },
    { sha256: digest('7'), name: 'tiny', path: '/tiny' },
  ];
  return new AdapterOffers({
    versions: { adapter: async () => undefined, byHash: async () => new Map() },
    models: async () => models,
    network,
    needNetwork: () => network,
  } as unknown as AdapterOffersOptions);
}

const refused = async (wanted: Promise<unknown>): Promise<QuarryError> => {
  const error = await wanted.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof QuarryError)) throw new Error('it was not refused');
  return error;
};

describe('a version that is fetched by its SHA-256', () => {
  const byHash = { version: FILE, trust: true };

  it('is not held up by a stranger who offers its file for a model that is not here', async () => {
    const wanted = await offers([offer(HONEST), offer(STRANGER, { base: digest('e') })]).wanted(byHash);
    expect(wanted).toMatchObject({ sha256: FILE, adapter: { base: BASE } });
  });

  it('needs the model to be named where it is offered for several that are here, and is had when it is', async () => {
    const shared = offers([offer(HONEST), offer(STRANGER, { base: digest('7') })]);
    const error = await refused(shared.wanted(byHash));
    expect(error).toMatchObject({ code: 'BAD_REQUEST', field: 'model' });
    expect(error.message).toMatch(/2 models.*(SmolLM2.*tiny|tiny.*SmolLM2)/);
    expect(error.hint).toContain('--model');
    expect(await shared.wanted({ ...byHash, model: 'SmolLM2' })).toMatchObject({
      adapter: { base: BASE, from: HONEST },
    });
  });

  it('is not there for another model than it is offered for', async () => {
    const wanted = offers([offer(HONEST)]).wanted({ ...byHash, model: 'tiny' });
    expect(await refused(wanted)).toMatchObject({
      code: 'ADAPTER_NOT_FOUND',
      message: expect.stringContaining('tiny'),
    });
  });

  it('says which model is missing where none of those that it is offered for is here', async () => {
    const wanted = offers([offer(HONEST, { base: digest('e') })]).wanted(byHash);
    expect(await refused(wanted)).toMatchObject({ code: 'MODEL_NOT_FOUND' });
  });

  it('has neither length nor name of strangers, however many say the same', async () => {
    const lie = { bytes: 999_999_999, name: 'personal', number: 77 };
    const wanted = await offers([offer(HONEST), offer(STRANGER, lie), offer(OTHER, lie)]).wanted(byHash);
    expect(wanted.bytes).toBeUndefined();
    expect(wanted).toMatchObject({ sha256: FILE, adapter: { name: 'fetched-ffffffff' } });
    expect(JSON.stringify(wanted)).not.toMatch(/personal|77/);
  });

  it('is called as whoever fetches it says', async () => {
    const wanted = await offers([offer(STRANGER)]).wanted({ ...byHash, adapter: 'of-a-friend' });
    expect(wanted).toMatchObject({ adapter: { name: 'of-a-friend' } });
  });

  it('is one download, whatever it is called', async () => {
    const shared = offers([offer(STRANGER)]);
    const [one, other] = [await shared.wanted(byHash), await shared.wanted({ version: 'formal@4', trust: true })];
    expect(one.name).toBe(other.name);
  });

  it('has length and name of a trusted signer, against any number of strangers', async () => {
    const lie = { bytes: 999_999_999, name: 'personal', number: 77 };
    const shared = offers([offer(STRANGER, lie), offer(OTHER, lie), offer(HONEST)], [HONEST]);
    const wanted = await shared.wanted({ version: FILE, trust: false });
    expect(wanted).toMatchObject({ bytes: 1_000, adapter: { name: 'formal', from: HONEST } });
  });
});

describe('a version that is fetched by its name', () => {
  const strange = offer(STRANGER, { sha256: FALSE_FILE });
  const late = () => (Date.now() < 2_000 ? [strange] : [strange, offer(HONEST)]);

  it.each([false, true])(
    'is the trusted signer’s, also where a stranger was heard first (trust: %s)',
    async (trust) => {
      const wanted = await offers(late, [HONEST]).wanted({ version: 'formal@4', trust });
      expect(wanted).toMatchObject({ sha256: FILE, bytes: 1_000, adapter: { name: 'formal', from: HONEST } });
    },
  );

  it('is to be fetched by its SHA-256 where strangers offer several files of that name, also one after the other', async () => {
    const error = await refused(offers(late).wanted({ version: 'formal@4', trust: true }));
    expect(error).toMatchObject({ code: 'BAD_REQUEST', message: '2 different files are shared as formal@4.' });
  });

  it('keeps its name, but no length, where only strangers offer it', async () => {
    const wanted = await offers([offer(STRANGER)]).wanted({ version: 'formal@4', trust: true });
    expect(wanted).toMatchObject({ sha256: FILE, adapter: { name: 'formal' } });
    expect(wanted.bytes).toBeUndefined();
  });

  it('says who offers which file where nobody is trusted, and has no command that takes it', async () => {
    const wanted = offers([strange, offer(OTHER, { sha256: FALSE_FILE })]).wanted({
      version: 'formal@4',
      trust: false,
    });
    const error = await refused(wanted);
    expect(error.code).toBe('UNAUTHORIZED');
    for (const fact of ['formal@4', FALSE_FILE.slice(0, 12), STRANGER.slice(0, 8), OTHER.slice(0, 8)])
      expect(error.message).toContain(fact);
    expect(`${error.message} ${error.hint}`).not.toContain(FALSE_FILE);
    expect(error.hint).not.toContain('quarry learn fetch');
    expect(error.hint).toMatch(/compare/i);
  });
});
