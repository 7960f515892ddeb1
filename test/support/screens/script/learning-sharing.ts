import type { ListedVersion } from '../../../../src-preload/contract/learning-versions.ts';
import { NOW } from '../sample-data.ts';
import type { ScriptedData, ScriptedOs } from './answers.ts';

const NO_MODEL = { base: '0'.repeat(64), model: 'none' };
const told = { peers: 2, uploadedBytes: 19_600_000, prepared: 1, problem: null, said: {} };

/** Of the contract's `learning`, what is about versions between nodes, out of a script. */
export function sharingScript(os: ScriptedOs['learning'], answers: ScriptedData) {
  const learning = () => answers.learning;
  const found = (wanted: string) => {
    const version = learning().versions.find(({ id }) => id === wanted);
    if (!version) throw new Error(`There is no version ${wanted}.`);
    return version;
  };
  const set = (id: string, shared: ListedVersion['shared']) => {
    learning().versions = learning().versions.map((version) => (version.id === id ? { ...version, shared } : version));
  };
  const sharing = (id: string) => {
    const { name, number, sha256, shared } = found(id);
    const { base, model: baseName } = learning().adapters.find((one) => one.name === name) ?? NO_MODEL;
    const offer = { name, number, bytes: 9_800_000, sha256, base, baseName };
    return { offer, status: shared && { ...told, name, bytes: offer.bytes, sha256, state: shared } };
  };
  return {
    share: os.share.handler(({ input: { version } }) => {
      set(version, 'preparing');
      learning().done.push(`share ${version}`);
      return sharing(version);
    }),
    unshare: os.unshare.handler(({ input: { version } }) => {
      set(version, null);
      learning().done.push(`unshare ${version}`);
    }),
    sharing: os.sharing.handler(({ input: { version } }) => sharing(version)),
    offers: os.offers.handler(() => ({ peers: 3, offers: learning().offered })),
    fetch: os.fetch.handler(({ input: { version, trust } }) => {
      const offer = learning().offered.find(({ sha256 }) => sha256 === version);
      if (!offer) throw new Error(`Nobody offers ${version}.`);
      learning().done.push(`fetch ${version}${trust ? ' trusted' : ''}`);
      const begun = {
        ...{
          name: `adapter-${offer.name}-${offer.number}`,
          adapter: { name: offer.name, sha256: offer.sha256 },
          state: 'downloading' as const,
        },
        ...{ bytes: offer.bytes, received: offer.bytes / 2, bytesPerSecond: 400_000, secondsLeft: 12 },
        ...{ sources: ['peers'], problem: null, nextTryAt: null, begunAt: NOW },
      };
      answers.downloads = [...answers.downloads, begun];
      return begun;
    }),
  };
}
