import type { CheckResult } from '../../hardware/doctor/check.ts';
import type { Figure } from '../../server/figures.ts';

/**
 * What a part gives to those who tell of the node as a whole: the server, the bundle for a helper, the doctor. They go through
 * all the reports and know no part by name.
 */
export interface Report {
  /** For `/metrics`. */
  figures?: readonly Figure[];
  /** Details for `/healthz`, under names of their own. With `ok: false` the node is not well. */
  health?: () => HealthDetails;
  /** Sections of the bundle, by name. One that fails is told with its error. */
  diagnostics?: Readonly<Record<string, () => Promise<unknown>>>;
  /** What else `quarry doctor` looks at while the node runs, by name. */
  checks?: Readonly<Record<string, () => Promise<CheckResult>>>;
}

export type HealthDetails = { ok?: boolean } & Record<string, unknown>;

/** How all the parts are: well when each of them is. */
export function wholeHealth(reports: readonly Report[]): HealthDetails & { ok: boolean } {
  const told = reports.flatMap(({ health }) => (health ? [health()] : []));
  return { ...Object.assign({}, ...told), ok: told.every(({ ok = true }) => ok) };
}

/** What the reports have by name, in one. @throws Error for a name that two of them have: one would never be told */
export function allOf<Kind extends 'diagnostics' | 'checks'>(
  reports: readonly Report[],
  kind: Kind,
): NonNullable<Report[Kind]> {
  const all = reports.flatMap((report) => Object.entries(report[kind] ?? {}));
  const names = all.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two reports have «${twice}» among their ${kind}`);
  return Object.fromEntries(all) as NonNullable<Report[Kind]>;
}
