import { join } from 'node:path';
import type { SubmissionKind } from '../../../../src-preload/contract/data-names.ts';
import { ulidModulo } from './ulid.ts';

/** Under which names their files lie: the one that is read where nobody says which. */
export const CONFIGS: Record<SubmissionKind, string> = { videos: 'default', sounds: 'sounds' };
/** At most so many folders (OMEGA, B8). */
const FOLDERS = 1_000;

/** `default/train/042/01JDZ….parquet`, also where it is uploaded to. */
export function shardName(kind: SubmissionKind, ulid: string): string {
  const folder = String(ulidModulo(ulid, FOLDERS)).padStart(3, '0');
  return `${CONFIGS[kind]}/train/${folder}/${ulid}.parquet`;
}

export const shardPath = (folder: string, kind: SubmissionKind, ulid: string): string =>
  join(folder, ...shardName(kind, ulid).split('/'));
