import { adapterNameSchema } from '../../../src-preload/contract/learning.ts';

/** What ends a version's id, or the name by which the newest one goes: no adapter's name ends so. */
const TAKEN_ENDING = /-(?:latest|init|\d{8}-\d{6})$/;
/** Names that stand for a model already: the mesh’s, the one that is loaded, and that one without what it has learnt. */
const RESERVED: readonly string[] = ['mesh', 'local', 'base'];
const LATEST = /^(.+)(?:-|@)latest$/;
const NUMBERED = /^(.+)@([1-9]\d{0,8})$/;

/** Whether an adapter can be called so. */
export function isAdapterName(name: string): boolean {
  return adapterNameSchema.safeParse(name).success && !TAKEN_ENDING.test(name) && !RESERVED.includes(name);
}

/** @param at Unix milliseconds @returns `<name>-<YYYYMMDD-HHMMSS>`, in UTC */
export function versionId(name: string, at: number): string {
  const [day = '', time = ''] = new Date(at).toISOString().replaceAll(/[-:]/g, '').split('T');
  return `${name}-${day}-${time.slice(0, 6)}`;
}

/** Of a version of zeros. */
export const initId = (name: string): string => `${name}-init`;

/** What somebody means by `personal@3`, `personal@latest`, `personal-latest`; anything else is an id or a name. */
export type VersionRef =
  | { by: 'number'; name: string; number: number }
  | { by: 'latest'; name: string }
  | { by: 'text'; text: string };

/** Whether it can only be a version's name: `name@3`, `name@latest`, or an id, which stays when its adapter is called something else. */
export function isVersionName(text: string): boolean {
  return NUMBERED.test(text) || text.endsWith('@latest') || (TAKEN_ENDING.test(text) && !text.endsWith('-latest'));
}

export function parsedRef(text: string): VersionRef {
  const [, numbered, number] = NUMBERED.exec(text) ?? [];
  if (numbered !== undefined) return { by: 'number', name: numbered, number: Number(number) };
  const [, latest] = LATEST.exec(text) ?? [];
  return latest === undefined ? { by: 'text', text } : { by: 'latest', name: latest };
}

/**
 * The folder of a version: its id, with all but small letters, digits, hyphens and underscores written as `%2f`. So no two ids share one, also where file systems
 * do not tell «A» from «a», and none leads anywhere else.
 */
export function folderName(id: string): string {
  return id.replaceAll(/[^a-z0-9_-]/g, (other) => `%${other.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** The id whose folder is called so; undefined for a folder of another kind. */
export function idOfFolder(folder: string): string | undefined {
  const id = folder.replaceAll(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return folderName(id) === folder && TAKEN_ENDING.test(id) && !id.endsWith('-latest') ? id : undefined;
}
