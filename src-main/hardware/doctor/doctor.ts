import type { Address } from 'hyperdht';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say, told, wordsOf } from '../../../src-preload/contract/saying.ts';
import { NODE_NEEDED } from '../../base/node-needed.ts';
import { type ProbeOptions, probeHardware } from '../probe.ts';
import { bounded } from '../reading.ts';
import type { CheckResult } from './check.ts';
import { type ClockOptions, checkClock } from './clock.ts';
import { checkGpu, checkModel, type InstalledModel } from './engine.ts';
import { checkNetwork } from './network.ts';
import { checkPort } from './port.ts';
import { checkDataDir, checkDisk } from './storage.ts';

export interface DoctorOptions extends Omit<ProbeOptions, 'now'> {
  version: string;
  /** The setting. */
  gpuLayers: number;
  models: () => Promise<InstalledModel[]>;
  bootstrap: Address[];
  host: string;
  port: number;
  /** Address of the node that runs on this data folder, if one does. */
  runningUrl?: string;
  clock: ClockOptions;
  /** What other rooms have looked at, by name. */
  more?: Readonly<Record<string, () => Promise<CheckResult>>>;
}

export interface DoctorReport {
  /** No check failed; warnings and skipped checks may be among them. */
  healthy: boolean;
  checks: CheckResult[];
}

/** Longer than any check's own limit. */
const CHECK_TIMEOUT_MS = 20_000;

/** Looks at everything that Quarry needs of this computer and says what to do about it. Changes nothing, never throws. */
export async function examine(options: DoctorOptions): Promise<DoctorReport> {
  const hardware = probeHardware(options);
  const checks = await Promise.all([
    run('versions', async () => checkVersions(options.version)),
    run('gpu', async () => checkGpu((await hardware).gpus, options.gpuLayers)),
    run('model', async () => checkModel(await options.models())),
    run('disk', async () => checkDisk((await hardware).disk)),
    run('data folder', () => checkDataDir(options.dataDir)),
    run('port', () => checkPort(options.host, options.port, options.runningUrl)),
    run('clock', () => checkClock(options.clock)),
    run('network', () => checkNetwork({ bootstrap: options.bootstrap })),
    ...Object.entries(options.more ?? {}).map(([name, check]) => run(name, check)),
  ]);
  return { healthy: checks.every(({ status }) => status !== 'fail'), checks };
}

/** Whether each secret that is set goes to the server that it was set for. */
export function checkSecrets(withheld: readonly Saying[]): CheckResult {
  const name = 'secrets';
  if (withheld.length === 0) return { name, status: 'ok', ...told({ found: say('doctor.secrets.fine') }) };
  const found = say('settings.sentences', { all: [...withheld] });
  return { name, status: 'warn', ...told({ found, advice: say('settings.setSecretAgain') }) };
}

/** What other programs have set and cannot be used here. @param notTaken at least one */
export function checkOtherPrograms(notTaken: readonly QuarryError[]): CheckResult {
  const found = say('doctor.notTaken', { all: notTaken.map((refused) => wordsOf(refused, 'message')) });
  const [advice] = notTaken.flatMap(({ hint, said }) => (hint === undefined ? [] : wordsOf({ hint, said }, 'hint')));
  return { name: 'other programs', status: 'warn', ...told({ found, advice }) };
}

/** A check that breaks is a finding, not the end of the examination. */
async function run(name: string, check: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await bounded(check(), CHECK_TIMEOUT_MS);
  } catch (error) {
    const reason = wordsOf(QuarryError.from(error), 'message');
    return { name, status: 'fail', ...told({ found: say('doctor.broken', { reason }) }) };
  }
}

/** What runs here, for a bug report, and whether Node is new enough. */
export function checkVersions(quarry: string, versions: NodeJS.ProcessVersions = process.versions): CheckResult {
  const name = 'versions';
  const runtime = versions.electron ? `Electron ${versions.electron}, ` : '';
  // Names and numbers alone: the same in every language.
  const found = `Quarry ${quarry}, ${runtime}Node ${versions.node}, ${process.platform} ${process.arch}.`;
  if (Number.parseInt(versions.node, 10) >= NODE_NEEDED) return { name, status: 'ok', found };
  return { name, status: 'fail', ...told({ found, advice: say('doctor.versions.old', { needed: NODE_NEEDED }) }) };
}
