import type { VersionSteps } from '../../../../src-preload/contract/learning-versions.ts';
import type { ScriptedData, ScriptedOs } from './answers.ts';

/** Of the contract's `learning`, what is about versions, out of a script. */
export function versionsScript(os: ScriptedOs['learning'], answers: ScriptedData) {
  const told = () => answers.learning;
  const found = (wanted: string) => {
    const version = told().versions.find(({ id }) => id === wanted);
    if (!version) throw new Error(`There is no version ${wanted}.`);
    return version;
  };
  const use = (id: string | null) => {
    told().adapters = told().adapters.map((adapter) => ({ ...adapter, latest: id }));
    told().versions = told().versions.map((version) => ({ ...version, inUse: version.id === id }));
    return id === null ? null : found(id);
  };
  const latest = () => told().adapters[0]?.latest ?? null;
  const after = () => told().versions.findLast(({ parent }) => parent === latest());
  const steps = (): VersionSteps => {
    const current = told().versions.find(({ id }) => id === latest()) ?? null;
    const before = told().versions.find(({ id }) => id === current?.parent) ?? null;
    return { current, undo: current && { to: before }, redo: after() ?? null };
  };
  return {
    adapters: os.adapters.handler(() => told().adapters),
    versions: os.versions.handler(({ input: { adapter = told().status.adapter } }) => ({
      name: adapter,
      versions: told().versions.filter(({ name }) => name === adapter),
      more: false,
      steps: steps(),
    })),
    use: os.use.handler(({ input: { version } }) => {
      told().done.push(`use ${version}`);
      use(version);
      return found(version);
    }),
    rest: os.rest.handler(() => void told().done.push('rest')),
    undo: os.undo.handler(() => {
      const from = latest();
      told().done.push('undo');
      return { version: use(from === null ? null : found(from).parent) };
    }),
    redo: os.redo.handler(() => {
      const next = after();
      if (!next) throw new Error('There is nothing to redo.');
      told().done.push('redo');
      use(next.id);
      return found(next.id);
    }),
    init: os.init.handler(({ input: { adapter } }) => ({ ...found(latest() ?? ''), name: adapter })),
    rename: os.rename.handler(({ input: { adapter, name } }) => {
      const renamed = <Named extends { name: string }>(one: Named) => (one.name === adapter ? { ...one, name } : one);
      told().adapters = told().adapters.map(renamed);
      told().versions = told().versions.map(renamed);
    }),
    remove: os.remove.handler(({ input: { version } }) => {
      const gone = found(version);
      if (gone.inUse) use(gone.parent);
      told().versions = told().versions.filter((one) => one !== gone && one.id !== version);
      told().done.push(`remove ${version}`);
      return gone;
    }),
    compare: os.compare.handler(({ input: { one, other } }) => ({
      one: found(one),
      other: found(other),
      modules: [
        { module: 'q_proj', one: 0.63, other: 0.41, apart: 0.3 },
        { module: 'down_proj', one: 1.12, other: 0.87, apart: 0.55 },
      ],
    })),
    exportVersion: os.exportVersion.handler(async function* ({ input: { version, form } }) {
      const name = `${version}.${form === 'gguf' ? 'gguf' : 'zip'}`;
      yield { version: found(version), name, path: `/tmp/${name}`, download: '/assets/none', bytes: 19_700_000 };
    }),
    importVersion: os.importVersion.handler(({ input: { path, adapter = 'personal' } }) => {
      const [newest] = told().versions;
      if (!newest) throw new Error('There is no version to make one of.');
      told().done.push(`import ${path}`);
      const number = newest.number + 1;
      const taken = {
        ...newest,
        shared: null,
        id: `${adapter}-20261127-12000${number}`,
        number,
        run: null,
        inUse: false,
        same: null,
      };
      told().versions = [{ ...taken, origin: 'imported' }, ...told().versions];
      return { ...taken, model: 'SmolLM2-135M-Instruct', origin: 'imported' as const };
    }),
  };
}
