import { createReadStream } from 'node:fs';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { ignoring } from '../../../base/swallowed.ts';
import type { VersionExports } from '../../../learning/adapters/version-exports.ts';
import type { AdapterBase } from '../../../learning/adapters/version-intake.ts';
import type { Versions } from '../../../learning/adapters/versions.ts';
import type { AdapterPort } from '../../../learning/feedback/ports.ts';

export interface AdapterPortNeeds {
  versions: Versions;
  exports: VersionExports;
  /** The model that an adapter of this name is for. */
  base(adapter: string): Promise<AdapterBase>;
}

/** Versions as CLaaS's clients know them: by ids, and by `<name>-latest` (B5). */
export function adapterPort({ versions, exports, base }: AdapterPortNeeds): AdapterPort {
  return {
    async list(prefix) {
      const inUse = (await versions.adapters()).filter(({ latest }) => latest !== null);
      const names = inUse.map(({ name }) => `${name}-latest`);
      return [...new Set([...(await versions.ids()), ...names])].filter((id) => id.startsWith(prefix)).sort();
    },
    async init({ name, modules, ...wanted }) {
      const version = { name, base: await base(name), use: true };
      return (await versions.intake.init(version, { ...wanted, modules })).id;
    },
    async remove(ref) {
      try {
        const { name, version } = await versions.resolve(ref);
        // What stands for a version goes, and the version stays; a version goes, and what stood for it stands for the one before.
        if (version?.id === ref) await versions.remove(ref, true);
        else return await versions.rest(name);
        return true;
      } catch (error) {
        if (error instanceof QuarryError && error.code === 'ADAPTER_NOT_FOUND') return false;
        throw error;
      }
    },
    async resolve(ref) {
      return (await versions.resolve(ref)).name;
    },
    async export(ref) {
      const steps = exports.export(ref, 'zip');
      const { value } = await steps.next();
      if (!value) throw new Error('an export without a file');
      const zip = createReadStream(value.path);
      // Whether it was read or not: whoever asked may be gone before anybody begins to.
      zip.once('close', () => void steps.return().catch(ignoring('the next start clears it away')));
      return zip;
    },
  };
}
