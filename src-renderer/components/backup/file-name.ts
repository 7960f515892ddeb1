import { shortId } from '../../../src-preload/contract/limits.ts';

/** `quarry-878775da-2026-11-21.quarry-backup`, by this computer's calendar. */
export function backupFileName(node: string, now: Date): string {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'));
  return `quarry-${shortId(node)}-${day.join('-')}.quarry-backup`;
}
