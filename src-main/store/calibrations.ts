import { type DecodeCost, decodeCostsSchema } from '../../src-preload/contract/decode-cost.ts';
import { keptJson } from '../base/kept-json.ts';
import type { Db } from './database.ts';
import type { TableGroup } from './migrate.ts';

/** What decides how fast a model is on one machine. */
export interface CalibrationKey {
  /** Of the model’s file, 64 hex. */
  sha256: string;
  /** The GPU and its driver, or 'cpu'. */
  device: string;
  threads: number;
  gpuLayers: number;
}

/** A measurement, so that it is made once. */
export interface Calibration extends CalibrationKey {
  /** Tokens a second: reading a prompt, and writing an answer. */
  prefill: number;
  decode: number;
  /** Bytes of weights that each token of the answer was computed with, by the memory that they lay in. */
  cpuBytes: number;
  gpuBytes: number;
  /** Bits per weight of the model’s file; 0 where an older version measured. */
  bits: number;
  /** Of batches that write for several; empty where an older version measured, or nothing could be measured. */
  decodeCosts: readonly DecodeCost[];
  /** Unix milliseconds. */
  measuredAt: number;
}

/** A {@link Calibration}, as it is kept. */
interface CalibrationRow {
  sha256: string;
  device: string;
  threads: number;
  gpu_layers: number;
  prefill: number;
  decode: number;
  cpu_bytes: number;
  gpu_bytes: number;
  bits: number;
  decode_costs: string;
  measured_at: number;
}

const SCHEMA = [
  `CREATE TABLE calibrations (
        sha256 TEXT NOT NULL,
        device TEXT NOT NULL,
        threads INTEGER NOT NULL,
        gpu_layers INTEGER NOT NULL,
        prefill REAL NOT NULL CHECK (prefill > 0),
        decode REAL NOT NULL CHECK (decode > 0),
        cpu_bytes REAL NOT NULL,
        gpu_bytes REAL NOT NULL,
        measured_at INTEGER NOT NULL,
        PRIMARY KEY (sha256, device, threads, gpu_layers)
      ) STRICT, WITHOUT ROWID`,
];

export const calibrations: TableGroup<{ calibrations: CalibrationRow }> = {
  migrations: {
    '0300-calibrations': SCHEMA,
    '0513-calibration-bits': ['ALTER TABLE calibrations ADD COLUMN bits REAL NOT NULL DEFAULT 0'],
    '0559-decode-costs': ["ALTER TABLE calibrations ADD COLUMN decode_costs TEXT NOT NULL DEFAULT '[]'"],
  },
};

/** What was measured on this machine. */
export class CalibrationStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async find({ sha256, device, threads, gpuLayers }: CalibrationKey): Promise<Calibration | undefined> {
    const row = await this.#db
      .selectFrom('calibrations')
      .selectAll()
      .where('sha256', '=', sha256)
      .where('device', '=', device)
      .where('threads', '=', threads)
      .where('gpu_layers', '=', gpuLayers)
      .executeTakeFirst();
    return row && calibrationOf(row);
  }

  /** All on these devices, the latest first. */
  async on(devices: readonly string[]): Promise<Calibration[]> {
    const rows = await this.#db
      .selectFrom('calibrations')
      .selectAll()
      .where('device', 'in', devices)
      .orderBy('measured_at', 'desc')
      .execute();
    return rows.map(calibrationOf);
  }

  /** Takes the place of an earlier one with the same key. */
  async put(calibration: Calibration): Promise<void> {
    const row = rowOf(calibration);
    const insert = this.#db.insertInto('calibrations').values(row);
    await insert
      .onConflict((conflict) => conflict.columns(['sha256', 'device', 'threads', 'gpu_layers']).doUpdateSet(row))
      .execute();
  }
}

function calibrationOf(row: CalibrationRow): Calibration {
  return {
    sha256: row.sha256,
    device: row.device,
    threads: row.threads,
    gpuLayers: row.gpu_layers,
    prefill: row.prefill,
    decode: row.decode,
    cpuBytes: row.cpu_bytes,
    gpuBytes: row.gpu_bytes,
    bits: row.bits,
    decodeCosts: keptJson(row.decode_costs, decodeCostsSchema) ?? [],
    measuredAt: row.measured_at,
  };
}

function rowOf(calibration: Calibration): CalibrationRow {
  return {
    sha256: calibration.sha256,
    device: calibration.device,
    threads: calibration.threads,
    gpu_layers: calibration.gpuLayers,
    prefill: calibration.prefill,
    decode: calibration.decode,
    cpu_bytes: calibration.cpuBytes,
    gpu_bytes: calibration.gpuBytes,
    bits: calibration.bits,
    decode_costs: JSON.stringify(calibration.decodeCosts),
    measured_at: calibration.measuredAt,
  };
}
