export type CheckStatus = 'ok' | 'warn' | 'fail' | 'skip';

/** What one check of `quarry doctor` found. */
export interface CheckResult {
  name: string;
  status: CheckStatus;
  /** One sentence for a person. */
  found: string;
  /** What to do about it, one or two sentences; absent when there is nothing to do. */
  advice?: string;
}

/** 1536 MiB as «1.5 GiB». */
export function gib(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}
