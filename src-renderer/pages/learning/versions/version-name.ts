import type { AdapterVersion } from '../../../../src-preload/contract/learning-versions.ts';

/** `personal@3` */
export function versionName({ name, number }: Pick<AdapterVersion, 'name' | 'number'>): string {
  return `${name}@${number}`;
}
