import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { ignoring } from '../../base/swallowed.ts';
import { version } from '../../base/version.ts';
import type { CheckResult } from '../../hardware/doctor/check.ts';
import { checkOtherPrograms, checkSecrets, type DoctorReport, examine } from '../../hardware/doctor/doctor.ts';
import { checkDatabase } from '../../hardware/doctor/storage.ts';
import { type EngineGpus, readGpus } from '../../hardware/gpus.ts';
import { probeHardware } from '../../hardware/probe.ts';
import type { GpuInfo, HardwareReport } from '../../hardware/report.ts';
import { systemInformation } from '../../hardware/system-information.ts';
import { listGpus } from '../../inference/host/gpus.ts';
import { bootstrapAddresses } from '../../mesh/transport/address.ts';
import type { FixedConfig } from '../../settings/config.ts';
import { type WithheldSecret, withheldWords } from '../../settings/secret-origins.ts';
import { lookAtServer } from '../../store/results/results-db.ts';
import { modelLibrary } from '../models/model-library.ts';

/** What the configuration does not tell. */
export interface RunningFacts {
  /** Address of the API of the node that runs on the data folder. */
  url?: string;
  /** Secrets that are not sent to the server that is set now. */
  withheld?: () => readonly WithheldSecret[];
  /** Why something that other programs have set is left out. */
  notTaken?: () => readonly QuarryError[];
  /** Milliseconds that each connected peer's clock is ahead of ours. */
  peerOffsets?: () => Promise<number[]>;
  /** What the parts of the node want looked at, by name. */
  checks?: Checks;
}

type Checks = Readonly<Record<string, () => Promise<CheckResult>>>;

/** What this computer is made of. @param engineGpus default: an engine child is asked */
export function probeComputer(
  { dataDir }: Pick<FixedConfig, 'dataDir'>,
  engineGpus: EngineGpus = listGpus,
): Promise<HardwareReport> {
  return probeHardware({ dataDir, engineGpus });
}

/** Its graphics cards; none where they cannot be read. @param engineGpus as above */
export async function listCards(engineGpus: EngineGpus = listGpus): Promise<readonly GpuInfo[]> {
  const read = await readGpus(systemInformation, engineGpus).catch(ignoring('the report on the hardware says why'));
  return read?.value ?? [];
}

/** What stands in the way of Quarry here, and what to do about it; takes up to ten seconds, and twenty where something hangs. */
export function examineComputer(
  config: FixedConfig,
  running: RunningFacts,
  engineGpus: EngineGpus = listGpus,
): Promise<DoctorReport> {
  const notTaken = running.notTaken?.() ?? [];
  return examine({
    version,
    dataDir: config.dataDir,
    engineGpus,
    gpuLayers: config.gpuLayers,
    models: () => modelLibrary(config).list(),
    bootstrap: bootstrapAddresses(config.bootstrap) ?? [],
    host: config.host,
    port: config.port,
    runningUrl: running.url,
    clock: { url: config.clockUrl, peerOffsets: running.peerOffsets },
    more: {
      secrets: async () => checkSecrets((running.withheld?.() ?? []).map(withheldWords)),
      ...(notTaken.length > 0 && { 'other programs': async () => checkOtherPrograms(notTaken) }),
      ...databaseCheck(config),
      ...running.checks,
    },
  });
}

function databaseCheck({ database }: FixedConfig): Checks {
  return database === undefined ? {} : { database: () => checkDatabase(() => lookAtServer(database)) };
}
