import {
  type AuditCalibrationView,
  type AuditReport,
  auditReportSchema,
  type RepeatedAudit,
  type WorkerAuditView,
} from '../../../src-preload/contract/audits.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { parsedJson } from '../../base/json-text.ts';
import { keptJson } from '../../base/kept-json.ts';
import type { InferenceBackend } from '../../inference/backend.ts';
import type { AuditSums } from '../../inference/verified/audit.ts';
import {
  CALIBRATION_ANSWERS,
  calibrated,
  type HonestAnswer,
  honestAnswers,
} from '../../inference/verified/calibrate.ts';
import { declaredFile } from '../../inference/verified/declared-file.ts';
import { CALIBRATION_PROBES, honestProbes } from '../../inference/verified/honest-probes.ts';
import {
  AUDIT_SIZES,
  type AuditFinding,
  type AuditThresholds,
  auditThresholdsSchema,
  calibrationSchema,
  findingOf,
  meansOf,
  thresholdsOfWhole,
} from '../../inference/verified/thresholds.ts';
import type { Auditor } from '../../mesh/audits/audit-desk.ts';
import { readReport, repeatAudit } from '../../mesh/audits/report.ts';
import { type AuditCalibrationRow, InferenceAuditStore, type WorkerAuditRow } from '../../store/inference-audits.ts';
import type { Core } from './core.ts';
import { type EnginePart, NO_ENGINE } from './engine.ts';
import { need } from './need.ts';

export type CalibrateEvent =
  | { type: 'progress'; done: number; of: number }
  | { type: 'done'; calibration: AuditCalibrationView };

/** Whether workers compute with the model that they declare, and how honest ones look. */
export interface AuditsPart {
  /** @throws NOT_RUNNING without an engine of this computer; what loading the model throws; the signal's reason */
  calibrate(signal: AbortSignal): AsyncGenerator<CalibrateEvent, void, undefined>;
  calibrations(): Promise<AuditCalibrationView[]>;
  /** What honest probes of a file come to; undefined where that was not measured. @param sha256 64 hex */
  probeThresholds(sha256: string): Promise<AuditThresholds | undefined>;
  list(limit: number): Promise<WorkerAuditView[]>;
  /** @throws BAD_REQUEST where nobody was found out */
  report(of: { worker: string; model: string }): Promise<AuditReport>;
  /** @throws BAD_REQUEST for a report that is not signed, about another model than the one that is loaded, or one that is not calibrated here */
  repeat(report: AuditReport, signal: AbortSignal): Promise<RepeatedAudit>;
}

type OwnModel = Auditor & {
  name: string;
  device: string;
  vocabulary: number | undefined;
  backend: Pick<InferenceBackend, 'generate' | 'probe'>;
};

/** The model that is loaded, if it is one that can read answers, and computes what its file says: else honest workers would be found out. */
export function auditorOf(engine: EnginePart | undefined): OwnModel | undefined {
  const { current } = engine?.slot ?? {};
  const { model } = current?.status() ?? {};
  const sha256 = model && declaredFile(model);
  if (!current?.score || !current.tokenize || !model || !sha256) return undefined;
  const { name, device, vocabulary } = model;
  const { score, tokenize, probe } = current;
  const generate: InferenceBackend['generate'] = (...asked) => current.generate(...asked);
  const bound = { score: score.bind(current), tokenize: tokenize.bind(current) };
  const backend = { generate, ...bound, ...(probe && { probe: probe.bind(current) }) };
  return { name, device, sha256, vocabulary, backend };
}

export function openAudits({ db }: Pick<Core, 'db'>, { engine }: { engine: EnginePart | undefined }): AuditsPart {
  const store = new InferenceAuditStore(db);
  const loaded = async (signal: AbortSignal) => {
    const inUse = await need(engine, NO_ENGINE).localUse.begin(signal);
    const own = auditorOf(engine);
    if (own) return { ...own, [Symbol.dispose]: () => inUse[Symbol.dispose]() };
    const isOtherwise = engine?.slot.status().model?.sha256 !== undefined;
    inUse[Symbol.dispose]();
    throw isOtherwise ? computesOtherwise() : need(own, NO_ENGINE);
  };
  return {
    async *calibrate(signal) {
      using own = await loaded(signal);
      const answers: HonestAnswer[] = [];
      const of = CALIBRATION_ANSWERS + CALIBRATION_PROBES;
      for await (const answer of honestAnswers(own.backend, { signal })) {
        answers.push(answer);
        yield { type: 'progress', done: answers.length, of };
      }
      const probes: AuditSums[][] = [];
      for await (const audits of ofProbes(own, signal)) {
        probes.push(audits);
        yield { type: 'progress', done: answers.length + probes.length, of };
      }
      const tokens = answers.reduce((sum, { audits }) => sum + audits.length, 0);
      const { name, device, sha256: model } = own;
      const thresholds = calibrated(answers);
      const row = {
        model,
        name,
        thresholds: JSON.stringify({ ...thresholds, ...(probes.length > 0 && { probes: thresholdsOfWhole(probes) }) }),
        tokens,
        answers: answers.length,
        device,
        at: Date.now(),
      };
      await store.calibrate(row);
      yield { type: 'done', calibration: viewOf(row, thresholds) };
    },
    calibrations: async () => (await store.calibrations()).flatMap((row) => calibrationView(row) ?? []),
    probeThresholds: async (sha256) => {
      const row = await store.calibration(sha256);
      return row && keptJson(row.thresholds, calibrationSchema)?.probes;
    },
    list: async (limit) => (await store.list(limit)).map(auditView),
    async report({ worker, model }) {
      const finding = findingIn(await store.of(worker, model));
      if (!finding) throw new QuarryError({ code: 'BAD_REQUEST', message: say('audits.notFoundOut') });
      const answers = (await store.answers(worker, model)).map(({ answer }) => parsedJson(answer));
      return { worker, model, finding, answers };
    },
    async repeat(report, signal) {
      const answers = await readReport(report, signal);
      using own = await loaded(signal);
      if (own.sha256 !== report.model) throw notLoaded(report.model);
      const calibration = await store.calibration(own.sha256);
      const thresholds = calibration && thresholdsIn(calibration);
      if (!thresholds) throw notCalibrated();
      const sums = await repeatAudit(own.backend, answers, signal);
      const finding = findingOf(sums, thresholds) ?? null;
      return { answers: answers.length, tokens: sums.tokens, ...meansOf(sums), finding };
    },
  };
}

async function* ofProbes({ backend, vocabulary }: OwnModel, signal: AbortSignal) {
  if (backend.probe && vocabulary !== undefined) yield* honestProbes(backend.probe, { vocabulary, signal });
}

const thresholdsIn = ({ thresholds }: AuditCalibrationRow) => keptJson(thresholds, auditThresholdsSchema);

function findingIn(row: WorkerAuditRow | undefined): AuditFinding | null {
  return (row?.finding && keptJson(row.finding, auditReportSchema.shape.finding)) || null;
}

/** Undefined for one that was damaged. */
function calibrationView(row: AuditCalibrationRow): AuditCalibrationView | undefined {
  const thresholds = thresholdsIn(row);
  return thresholds && viewOf(row, thresholds);
}

function viewOf({ thresholds: _, ...about }: AuditCalibrationRow, of: AuditThresholds): AuditCalibrationView {
  return { ...about, thresholds: AUDIT_SIZES.map((tokens) => ({ tokens, ...of[tokens] })) };
}

function auditView(row: WorkerAuditRow): WorkerAuditView {
  const { worker, model, answers, tokens, at } = row;
  return { worker, model, answers, tokens, at, ...meansOf(row), finding: findingIn(row) };
}

const notLoaded = (model: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('audits.notLoaded'),
    hint: say('audits.notLoaded.hint', { model }),
  });

const computesOtherwise = () =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('audits.otherwise'),
    hint: say('audits.otherwise.hint'),
  });

const notCalibrated = () =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('audits.notCalibrated'),
    hint: say('audits.notCalibrated.hint'),
  });
