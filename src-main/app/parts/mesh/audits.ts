import {
  type AuditCalibrationView,
  type AuditsNow,
  auditFindingSchema,
  type BroughtReportView,
  type RepeatedAudit,
  type WorkerAuditView,
} from '../../../../src-preload/contract/audits.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { parsedJson } from '../../../base/json-text.ts';
import { keptJson } from '../../../base/kept-json.ts';
import { watched } from '../../../base/watched.ts';
import type { InferenceBackend } from '../../../inference/backend.ts';
import { addAudits, NOTHING_AUDITED } from '../../../inference/verified/audit.ts';
import { declaredFile } from '../../../inference/verified/declared-file.ts';
import {
  AUDIT_SIZES,
  type AuditFinding,
  type AuditThresholds,
  findingOf,
  meansOf,
} from '../../../inference/verified/thresholds.ts';
import { BroughtReport } from '../../../mesh/audits/brought-report.ts';
import { CalibrationDesk, type LoadedModel } from '../../../mesh/audits/calibration-desk.ts';
import { repeatAudit } from '../../../mesh/audits/report.ts';
import { validThresholds } from '../../../mesh/audits/valid-thresholds.ts';
import type { AuditCalibrationRow, InferenceAuditStore, WorkerAuditRow } from '../../../store/mesh/inference-audits.ts';
import type { Core } from '../core.ts';
import { type EnginePart, NO_ENGINE } from '../engine.ts';
import { need } from '../need.ts';
import type { MeshPart } from './mesh.ts';

/** A worker, and the SHA-256 of the file that it declares. */
interface Pair {
  worker: string;
  model: string;
}

export type RepeatEvent = { type: 'progress'; done: number; of: number } | { type: 'done'; result: RepeatedAudit };

/** Whether workers compute with the model that they declare, and how honest ones look. */
export interface AuditsPart {
  watch(signal: AbortSignal): AsyncGenerator<AuditsNow, void, undefined>;
  /** Begins, by the model that is loaded, or would be. */
  readonly calibration: Pick<CalibrationDesk, 'begin' | 'cancel'>;
  calibrations(): Promise<AuditCalibrationView[]>;
  /** What honest probes of a file come to; undefined where that was not measured on the device that the model runs on. @param sha256 64 hex */
  probeThresholds(sha256: string): Promise<AuditThresholds | undefined>;
  list(limit: number): Promise<WorkerAuditView[]>;
  /** The JSON of an `AuditReport`, in pieces. @throws BAD_REQUEST where nobody was found out, or the answers are not kept any more */
  report(of: Pair): AsyncGenerator<{ text: string }, void, undefined>;
  bring(at: number, text: string): { chars: number };
  /** @throws BAD_REQUEST for one that is none, or not signed */
  brought(signal: AbortSignal): Promise<BroughtReportView>;
  /** @throws BAD_REQUEST as `brought` does, and for one about another model than the one that is loaded, or one that is not calibrated here */
  repeat(signal: AbortSignal): AsyncGenerator<RepeatEvent, void, undefined>;
  discard(): void;
}

/** The model that is loaded, if it is one that can read answers, and computes what its file says: else honest workers would be found out. */
export function auditorOf(engine: EnginePart | undefined): LoadedModel | undefined {
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

interface AuditsNeeds {
  /** The same that the mesh writes its findings to. */
  store: InferenceAuditStore;
  engine: EnginePart | undefined;
  mesh: Pick<MeshPart, 'scores'> | undefined;
}

export function openAudits(
  core: Pick<Core, 'changes' | 'log' | 'onClose'>,
  { store, engine, mesh }: AuditsNeeds,
): AuditsPart {
  const load = async (signal: AbortSignal) => {
    const inUse = await need(engine, NO_ENGINE).localUse.begin(signal);
    const own = auditorOf(engine);
    if (own) return { ...own, [Symbol.dispose]: () => inUse[Symbol.dispose]() };
    const isOtherwise = engine?.slot.status().model?.sha256 !== undefined;
    inUse[Symbol.dispose]();
    throw isOtherwise ? computesOtherwise() : elsewhere();
  };
  const calibration = new CalibrationDesk({ load, store, onChange: () => core.changes.tell(), log: core.log });
  core.onClose(() => calibration.close());
  const report = new BroughtReport();
  return {
    watch: (signal) =>
      watched(() => ({ own: ownModel(engine), calibration: calibration.run ?? null }), core.changes, signal),
    calibration,
    async calibrations() {
      const own = auditorOf(engine);
      return (await store.calibrations()).flatMap((row) => calibrationView(row, own) ?? []);
    },
    async probeThresholds(sha256) {
      const own = auditorOf(engine);
      return own && validThresholds(await store.calibration(sha256), own.device)?.probes;
    },
    async list(limit) {
      const until = new Map(mesh?.scores.marks().map(({ worker, expiresAt }) => [worker, expiresAt]));
      return (await store.list(limit)).map((row) => auditView(row, until.get(row.worker) ?? null));
    },
    report: (pair) => writtenReport(store, pair),
    bring: (at, text) => ({ chars: report.take(at, text) }),
    brought: (signal) => report.view(signal),
    async *repeat(signal) {
      const { model, answers } = await report.read(signal);
      using own = await load(signal);
      if (own.sha256 !== model) throw notLoaded(model);
      const calibration = await store.calibration(own.sha256);
      if (calibration && calibration.device !== own.device) throw otherDevice(calibration.device, own.device);
      const thresholds = validThresholds(calibration, own.device);
      if (!thresholds) throw notCalibrated();
      let [sums, done] = [NOTHING_AUDITED, 0];
      for await (const each of repeatAudit(own.backend, answers, signal)) {
        sums = addAudits([sums, each]);
        yield { type: 'progress', done: ++done, of: answers.length };
      }
      const finding = findingOf(sums, thresholds) ?? null;
      yield { type: 'done', result: { answers: done, tokens: sums.tokens, ...meansOf(sums), finding } };
    },
    discard: () => report.discard(),
  };
}

function ownModel(engine: EnginePart | undefined): AuditsNow['own'] {
  const own = auditorOf(engine);
  if (own) return { state: 'ready', name: own.name, model: own.sha256 };
  const model = engine?.slot.current?.status().model;
  if (!model) return { state: 'none' };
  return { state: model.sha256 === undefined ? 'elsewhere' : 'otherwise', name: model.name };
}

/** Answer by answer: all of them may be more than a connection holds at once. Those that were damaged are left out. */
async function* writtenReport(store: InferenceAuditStore, { worker, model }: Pair) {
  const finding = findingIn(await store.of(worker, model));
  if (!finding) throw new QuarryError({ code: 'BAD_REQUEST', message: say('audits.notFoundOut') });
  const answers = (await store.answers(worker, model)).filter(({ answer }) => parsedJson(answer) !== undefined);
  if (answers.length === 0) throw new QuarryError({ code: 'BAD_REQUEST', message: say('audits.notKept') });
  yield { text: `${JSON.stringify({ worker, model, finding }).slice(0, -1)},"answers":[` };
  for (const [place, { answer }] of answers.entries()) yield { text: place === 0 ? answer : `,${answer}` };
  yield { text: ']}' };
}

function findingIn(row: WorkerAuditRow | undefined): AuditFinding | null {
  return (row?.finding && keptJson(row.finding, auditFindingSchema)) || null;
}

/** Undefined for one that was damaged. */
function calibrationView(row: AuditCalibrationRow, own: LoadedModel | undefined): AuditCalibrationView | undefined {
  const thresholds = validThresholds(row, row.device);
  return thresholds && viewOf(row, thresholds, own);
}

function viewOf(
  { thresholds: _, ...about }: AuditCalibrationRow,
  of: AuditThresholds,
  own: LoadedModel | undefined,
): AuditCalibrationView {
  const otherDevice = own?.sha256 === about.model && own.device !== about.device ? own.device : null;
  return { ...about, otherDevice, thresholds: AUDIT_SIZES.map((tokens) => ({ tokens, ...of[tokens] })) };
}

function auditView(row: WorkerAuditRow, newcomerUntil: number | null): WorkerAuditView {
  const { worker, model, answers, tokens, at } = row;
  return { worker, model, answers, tokens, at, ...meansOf(row), finding: findingIn(row), newcomerUntil };
}

const elsewhere = () =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('audits.elsewhere'),
    hint: say('audits.elsewhere.hint'),
  });

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

const otherDevice = (before: string, now: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('audits.otherDevice', { before, now }),
    hint: say('audits.otherDevice.hint'),
  });

const notCalibrated = () =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('audits.notCalibrated'),
    hint: say('audits.notCalibrated.hint'),
  });
