import type { Recording, RulesScoreView } from '../../../../src-preload/contract/focus.ts';
import { SHORTEST_RECORDING_MS } from '../../../../src-preload/contract/focus-limits.ts';
import type { ScorerState } from '../../../../src-preload/contract/focus-score.ts';
import { told } from '../../../../src-preload/contract/saying.ts';
import type { ConsentLog } from '../../../focus/consent/consent-log.ts';
import type { Library } from '../../../focus/library/library.ts';
import type { FocusRecordingStore } from '../../../store/focus/focus-recordings.ts';
import { FocusScoreStore } from '../../../store/focus/focus-scores.ts';
import { FocusVectorStore } from '../../../store/focus/focus-vectors.ts';
import type { KeyFrames } from '../../../subnets/omega/focus/model/key-frames.ts';
import { draw } from '../../../subnets/omega/focus/model/questions.ts';
import { OfferedRecordings } from '../../../subnets/omega/focus/offered-recordings.ts';
import { Ratings } from '../../../subnets/omega/focus/ratings.ts';
import type { Known } from '../../../subnets/omega/focus/rules/facts.ts';
import { type FactsToScore, RulesScorer } from '../../../subnets/omega/focus/rules-scorer.ts';
import type { RulesScore } from '../../../subnets/omega/focus/score-by-rules.ts';
import { PREPROCESSING, type TextSpace } from '../../../subnets/omega/focus/uniqueness.ts';
import type { EmbeddingEngine } from '../../engine/embedding-engine.ts';
import { chooseJudge } from '../../focus/choose-judge.ts';
import { ModelJudge, type Sent } from '../../focus/model-judge.ts';
import type { Core } from '../core.ts';

export interface FocusScoreNeeds {
  library: Library;
  store: FocusRecordingStore;
  embedding: Pick<EmbeddingEngine, 'model'>;
  keyFrames: KeyFrames;
  /** Told of everything before it is sent; where it fails, nothing is. */
  consent: Pick<ConsentLog, 'note'>;
  /** Whether the node does: what another node scores is not called off by a single command. */
  stays: boolean;
}

/** What recordings are worth: by the rules at once, and by a model for those who have set one up. */
export interface FocusScorePart {
  readonly ratings: Ratings;
  /** What the rules on this computer say of a recording. @throws BAD_REQUEST for one that is not there; INTERNAL where that takes too long */
  score(id: string, signal: AbortSignal): Promise<RulesScoreView>;
  readonly offered: OfferedRecordings;
  /** The model that would be asked now. */
  scorer(): ScorerState;
}

export async function openFocusScores(
  { db, identity, settings, changes, log, until, onClose }: Core,
  { library, store, embedding, keyFrames, consent, stays }: FocusScoreNeeds,
): Promise<FocusScorePart> {
  const followed = settings.follow('focus.scorer');
  const closing = until();
  const judge = (recording: string) => {
    const chosen = chooseJudge(followed.now);
    if ('lack' in chosen) return chosen;
    const told = async (sent: Sent) => {
      const { what, to, bytes } = sent;
      await consent.note({ recording, what: what === 'pictures' ? 'stills' : what, to, bytes }, closing);
      log.info({ ...sent, recording }, 'a recording is shown to a model');
    };
    return { judge: new ModelJudge({ ...chosen, onSent: told, closing }) };
  };
  const scorer = new RulesScorer();
  onClose(() => scorer.close());
  const byRules = async (id: string, signal: AbortSignal) => {
    const facts = await factsOf(library, id);
    return { seconds: facts.seconds, byRules: await scorer.score(facts, signal) };
  };
  const scoreStore = new FocusScoreStore(db);
  const ratings = new Ratings({
    store: scoreStore,
    vectors: new FocusVectorStore(db),
    recordings: {
      get: (id) => library.get(id),
      byRules,
      content: async (id) => (await store.lastChunk(id))?.link ?? NO_LINK,
    },
    ...{ judge, keyFrames, changes, log },
    space: () => spaceOf(embedding),
    signer: identity,
    draw,
    beyondOne: () => followed.now.beyondOne,
  });
  if (stays) await ratings.open();
  onClose(() => ratings.close());
  return {
    ratings,
    score: async (id, signal) => rulesView((await byRules(id, until(signal))).byRules.rules),
    offered: new OfferedRecordings({ store: scoreStore, get: (id) => library.get(id), changes }),
    scorer: () => scorerState(followed.now),
  };
}

/** Older ones than so many are not looked at: each is read as a whole. */
const KNOWN_RECORDINGS = 50;
/** Of a recording without a chunk. */
const NO_LINK = '0'.repeat(64);

async function factsOf(library: Library, id: string): Promise<FactsToScore> {
  const { activeMs, startedAt } = await library.get(id);
  const [seconds, chain] = [await library.activity(id), await library.check(id)];
  return { activeMs, startedAt, seconds, chain, known: knownBefore(library, startedAt) };
}

async function* knownBefore(library: Library, startedAt: number): AsyncGenerator<Known, void, undefined> {
  for (const { id, title } of await recordingsBefore(library, startedAt))
    yield { title, seconds: await library.activity(id) };
}

/** The newest that began earlier. Those that are too short to count do not push out one that does: they cost nothing to make. */
async function recordingsBefore(library: Library, startedAt: number): Promise<Recording[]> {
  const found: Recording[] = [];
  for (let before: number | undefined = startedAt; before !== undefined && found.length < KNOWN_RECORDINGS; ) {
    const { recordings, more } = await library.list({ text: '', before, limit: KNOWN_RECORDINGS });
    found.push(...recordings.filter(({ activeMs }) => activeMs >= SHORTEST_RECORDING_MS));
    before = more ? recordings.at(-1)?.startedAt : undefined;
  }
  return found.slice(0, KNOWN_RECORDINGS);
}

function rulesView({ findings, ...score }: RulesScore): RulesScoreView {
  return { ...score, findings: findings.map(({ reason, ...found }) => ({ ...found, ...told({ text: reason }) })) };
}

/** By the engine of this computer; undefined where it has no embedding model. */
async function spaceOf(embedding: FocusScoreNeeds['embedding']): Promise<TextSpace | undefined> {
  const model = await embedding.model();
  if (!model) return undefined;
  const { name, sha256 } = model;
  return { id: `${name}@${sha256}#${PREPROCESSING}`, embed: (text, signal) => model.embed(text, 'passage', signal) };
}

function scorerState(settings: Parameters<typeof chooseJudge>[0]): ScorerState {
  const chosen = chooseJudge(settings);
  const about = { model: settings.model ?? null, host: chosen.host, isHere: chosen.isHere, asks: null };
  if (!('lack' in chosen)) return { ...about, lack: null };
  return { ...about, asks: chosen.asks ?? null, ...told({ lack: chosen.lack }) };
}
