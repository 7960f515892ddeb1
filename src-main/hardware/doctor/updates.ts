import { say, told } from '../../../src-preload/contract/saying.ts';
import type { CheckResult } from './check.ts';

export interface UpdateFacts {
  version: string;
  /** The newer version that there is; null where there is none, undefined while nobody knows. */
  newer: string | null | undefined;
  /** Why nobody knows it since the last time. */
  failure?: string | undefined;
}

/** Whether there is a newer version, as far as anybody was asked. */
export function checkUpdates({ version, newer, failure }: UpdateFacts): CheckResult {
  const name = 'updates';
  if (newer) {
    const found = say('doctor.updates.newer', { newer, version });
    return { name, status: 'warn', ...told({ found, advice: say('doctor.updates.how') }) };
  }
  if (newer === null) return { name, status: 'ok', ...told({ found: say('doctor.updates.newest', { version }) }) };
  const found = failure ? say('doctor.updates.silent', { reason: failure }) : say('doctor.updates.notYet');
  return { name, status: 'skip', ...told({ found }) };
}
