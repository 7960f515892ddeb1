import type {
  AuditCalibrationView,
  AuditsNow,
  BroughtReportView,
  RepeatedAudit,
  WorkerAuditView,
} from '../../../src-preload/contract/audits.ts';
import { nodeId } from './sample-data.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** What a page shows as «an hour ago» is so at any time of day. */
const NOW = Date.now();

export const QWEN = 'a7'.repeat(32);
export const SMOL = '5e'.repeat(32);
const ELSE = 'd0'.repeat(32);

export interface ScriptedAudits {
  now: AuditsNow;
  calibrations: AuditCalibrationView[];
  list: WorkerAuditView[];
  /** What the report says that is brought; null: it is none. */
  brought: BroughtReportView | null;
  /** How many answers of it are read again before that stops; all where it is absent. */
  repeats: number;
  result: RepeatedAudit;
  /** What was done, the last one last: `calibrate`, `cancel`, `report …`, `bring …`. */
  done: string[];
}

const calibrated = (model: string, name: string, at: number, scale: number): AuditCalibrationView => ({
  ...{ model, name, tokens: 3_412, answers: 48, device: 'cpu', otherDevice: null, at },
  thresholds: [
    [32, 0.31, 0.25, 0.27],
    [128, 0.19, 0.14, 0.16],
    [512, 0.14, 0.09, 0.1],
    [2_048, 0.11, 0.07, 0.08],
  ].map(([tokens = 0, top = 0, chosen = 0, mismatches = 0]) => ({
    ...{ tokens, top: scale * top, chosen: scale * chosen, mismatches: scale * mismatches },
  })),
});

/** Four honest ones, of whom one was hardly looked at; one that was found out; one whose file is not calibrated. */
const workers: WorkerAuditView[] = [
  {
    ...{ worker: nodeId('dead'), model: QWEN, answers: 3, tokens: 144, at: NOW - 2 * HOUR },
    ...{ top: 0.721, chosen: 0.472, mismatches: 0.35, newcomerUntil: NOW + 29.9 * DAY },
    finding: { measure: 'top', found: 0.721, threshold: 0.19, tokens: 144 },
  },
  {
    ...{ worker: nodeId('beef'), model: QWEN, answers: 41, tokens: 2_312, at: NOW - 0.3 * HOUR },
    ...{ top: 0.021, chosen: 0.009, mismatches: 0.006, newcomerUntil: null, finding: null },
  },
  {
    ...{ worker: nodeId('facade'), model: QWEN, answers: 12, tokens: 604, at: NOW - 5 * HOUR },
    ...{ top: 0.098, chosen: 0.044, mismatches: 0.041, newcomerUntil: null, finding: null },
  },
  {
    ...{ worker: nodeId('decade'), model: QWEN, answers: 1, tokens: 21, at: NOW - DAY },
    ...{ top: 0.052, chosen: 0.017, mismatches: 0, newcomerUntil: null, finding: null },
  },
  {
    ...{ worker: nodeId('facade'), model: ELSE, answers: 4, tokens: 190, at: NOW - 3 * DAY },
    ...{ top: 0.061, chosen: 0.03, mismatches: 0.021, newcomerUntil: null, finding: null },
  },
];

/** The model of this computer is calibrated, and five pairs of worker and file were looked at. */
export function sampleAudits(): ScriptedAudits {
  return {
    now: { own: { state: 'ready', name: 'qwen2.5-7b-instruct-q4_k_m', model: QWEN }, calibration: null },
    calibrations: [
      calibrated(QWEN, 'qwen2.5-7b-instruct-q4_k_m', NOW - 6 * DAY, 1),
      calibrated(SMOL, 'smollm2-135m-instruct-q4_1', NOW - 20 * DAY, 1.3),
    ],
    list: structuredClone(workers),
    brought: {
      ...{ worker: nodeId('bad1'), model: QWEN, answers: 3, tokens: 144 },
      finding: { measure: 'mismatches', found: 0.494, threshold: 0.21, tokens: 144 },
    },
    repeats: Number.POSITIVE_INFINITY,
    result: {
      ...{ answers: 3, tokens: 144, top: 0.744, chosen: 0.653, mismatches: 0.494 },
      finding: { measure: 'top', found: 0.744, threshold: 0.19, tokens: 144 },
    },
    done: [],
  };
}
