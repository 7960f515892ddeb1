import type { Core } from '../parts/core.ts';
import type { LearningVersionsPart } from '../parts/learning/learning-versions.ts';
import type { Domain } from './implementer.ts';

/** Of the contract's `learning`, what is about versions. */
export function learningVersionsRoutes(
  { os, named }: Domain<'learning'>,
  { versions, exports, shares, adapter: set, base, rename }: LearningVersionsPart,
  { until }: Pick<Core, 'until'>,
) {
  return {
    adapters: os.adapters.handler(async () =>
      (await versions.adapters()).map(({ name, base, base_name: model, latest }) => ({ name, model, base, latest })),
    ),
    versions: os.versions.handler(async ({ input: { adapter: name = set(), below } }) => {
      const { versions: page, more } = await versions.page(name, below);
      return { name, versions: await shares.listed(page), more, steps: await versions.steps(name) };
    }),
    use: os.use.handler(({ input }) => versions.use(input.version)),
    rest: os.rest.handler(async ({ input: { adapter } }) => {
      if (adapter === undefined && !(await versions.adapter(set()))) return;
      await versions.rest(adapter ?? set());
    }),
    undo: os.undo.handler(async ({ input: { adapter = set() } }) => ({ version: await versions.undo(adapter) })),
    redo: os.redo.handler(({ input: { adapter = set() } }) => versions.redo(adapter)),
    init: os.init.handler(async ({ input: { adapter: name, model, modules, ...wanted } }) => {
      const version = { name, base: await base(name, model), use: true };
      return await versions.intake.init(version, { ...wanted, modules });
    }),
    rename: os.rename.handler(({ input }) => rename(input.adapter, input.name)),
    remove: os.remove.handler(({ input }) => versions.remove(input.version, input.evenInUse)),
    compare: os.compare.handler(({ input, signal }) => versions.compare(input.one, input.other, signal)),
    exportVersion: os.exportVersion.handler(({ input, signal, context }) =>
      named(exports.export(input.version, input.form, until(signal), context.lasts)),
    ),
    importVersion: os.importVersion.handler(async ({ input: { path, adapter: name = set(), model, use } }) => {
      const before = await versions.byHash();
      const of = await base(name, model);
      const taken = await versions.intake.import(path, { name, base: of, use });
      return { ...taken, model: of.name, same: before.get(taken.sha256) ?? null };
    }),
  };
}
