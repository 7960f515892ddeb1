import type { AdapterVersion } from '../../../../src-preload/contract/learning-versions.ts';
import { NOW } from '../sample-data.ts';
import type { ScriptedOs } from './answers.ts';

const FIRST: AdapterVersion = {
  ...{ id: 'personal-20261126-181500', name: 'personal', number: 1, parent: null, origin: 'learnt', run: 'run-1' },
  ...{ at: NOW - 18 * 3_600_000, rank: 8, alpha: 16, bytes: 19_600_000, sha256: 'c'.repeat(64), inUse: false },
  modules: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'],
  feedback: [3, 4],
  metrics: null,
};
const SECOND: AdapterVersion = {
  ...FIRST,
  ...{
    id: 'personal-20261127-090200',
    number: 2,
    parent: FIRST.id,
    at: NOW - 3 * 3_600_000,
    run: 'run-3',
    inUse: true,
  },
  feedback: [11],
};

/** Of the contract's `learning`, what is about versions, out of a script. */
export function versionsScript(os: ScriptedOs['learning']) {
  return {
    adapters: os.adapters.handler(() => [
      { name: 'personal', model: 'qwen3-4b', base: 'a'.repeat(64), latest: SECOND.id },
    ]),
    versions: os.versions.handler(() => ({ name: 'personal', versions: [SECOND, FIRST], more: false })),
    use: os.use.handler(() => SECOND),
    undo: os.undo.handler(() => ({ version: { ...FIRST, inUse: true } })),
    redo: os.redo.handler(() => SECOND),
    init: os.init.handler(() => ({ ...FIRST, id: 'personal-init', origin: 'init' as const })),
    rename: os.rename.handler(() => {}),
    remove: os.remove.handler(() => FIRST),
    compare: os.compare.handler(() => ({
      one: FIRST,
      other: SECOND,
      modules: [{ module: 'q_proj', one: 0.41, other: 0.63, apart: 0.3 }],
    })),
    exportVersion: os.exportVersion.handler(async function* () {
      yield {
        version: SECOND,
        name: `${SECOND.id}.zip`,
        path: '/tmp/x',
        download: '/learning/export/t',
        bytes: 19_700_000,
      };
    }),
    importVersion: os.importVersion.handler(() => ({ ...FIRST, origin: 'imported' as const })),
  };
}
