import type { AdapterVersion } from '../../../../src-preload/contract/learning-versions.ts';

type Known = Pick<AdapterVersion, 'id' | 'number' | 'parent'>;

/** `personal@3` */
export function versionName({ name, number }: Pick<AdapterVersion, 'name' | 'number'>): string {
  return `${name}@${number}`;
}

/** Where undo and redo lead from the version in use, as far as the versions that are shown tell. */
export interface Steps<Version> {
  /** In use now; undefined: the model as it is, or one that is not shown. */
  current: Version | undefined;
  /** What undo leads to; null: to the model as it is. Undefined where that is not known: it is deleted, or not shown. */
  before: Version | null | undefined;
  canUndo: boolean;
  /** There is a newer one. */
  canRedo: boolean;
}

/** @param latest id of the version in use; null: the model as it is */
export function stepsFrom<Version extends Known>(versions: readonly Version[], latest: string | null): Steps<Version> {
  const current = versions.find(({ id }) => id === latest);
  const before = current?.parent === null ? null : current && versions.find(({ id }) => id === current.parent);
  const number = latest === null ? 0 : current?.number;
  return {
    current,
    before,
    canUndo: latest !== null,
    canRedo: number !== undefined && versions.some((version) => version.number > number),
  };
}
