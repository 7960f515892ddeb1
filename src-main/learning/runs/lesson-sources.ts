import { z } from 'zod';
import { isTeaching } from '../../../src-preload/contract/learning.ts';
import { type ChatMessage, inputSchema } from '../../../src-preload/contract/request.ts';
import { parsedJson } from '../../base/json-text.ts';
import type { CompletionRow, CompletionStore } from '../../store/learning/learning-completions.ts';
import type { FeedbackStore } from '../../store/learning/learning-feedback.ts';
import type { FeedbackRow } from '../../store/learning/learning-runs.ts';
import { type LessonFeedback, questionOf } from './lesson.ts';
import { DamagedPiece, jsonPiece, type RunFiles } from './run-files.ts';

/** Where a lesson comes from: what people of this node said, and what they asked. */
export interface LessonSources {
  completions: Pick<CompletionStore, 'find' | 'isPrivate' | 'lastAsked'>;
  feedback: Pick<FeedbackStore, 'find'>;
  versions: { lineage(id: string, most: number): Promise<readonly { feedback: readonly number[] }[]> };
}

/** Of what was learnt before, so much is said to the teacher again, the newest. */
const MOST_EARLIER = 12;
/** Questions beside those that feedback was given to, and among how many answers they are looked for. */
const MOST_RECENT = 3;
const LOOKED_AT = 50;
/** Which answers those questions were told by, so that a run can be told that learns from what was forgotten since. */
const RECENT = jsonPiece('recent-answers', z.array(z.string()));

const keptInput = z
  .looseObject({})
  .transform(({ tools: _, ...input }) => input)
  .pipe(inputSchema);

/** With the answers that it refers to; what teaches nothing is left out, and what is said of an answer whose question is damaged: all else is learnt all the same. */
export async function withAnswers(
  rows: readonly FeedbackRow[],
  { completions }: Pick<LessonSources, 'completions'>,
): Promise<LessonFeedback[]> {
  const found: LessonFeedback[] = [];
  for (const { kind, text, completion } of rows) {
    const answer = await completions.find(completion);
    const messages = answer && messagesOf(answer);
    if (!messages || text === null || !isTeaching(kind)) continue;
    found.push({ kind, text, messages, answer: answer.text });
  }
  return found;
}

/** Feedback of a version and of those that it was learnt on from, the oldest first. */
export async function learntBefore(version: string, sources: LessonSources): Promise<LessonFeedback[]> {
  const lineage = await sources.versions.lineage(version, MOST_EARLIER);
  const ids = lineage.toReversed().flatMap(({ feedback }) => feedback);
  const rows: FeedbackRow[] = [];
  for (const id of ids.slice(-MOST_EARLIER)) {
    const row = await sources.feedback.find(id);
    const isPrivate = row?.kind === 'edit' && (await sources.completions.isPrivate(row.completion)); // it is an answer itself
    if (row && !isPrivate) rows.push(row);
  }
  return await withAnswers(rows, sources);
}

/**
 * What people asked lately, the newest first, without what feedback was given to. A run keeps to the ones that it began with.
 * @param base SHA-256 of the model's file
 */
export async function recentlyAsked(
  base: string,
  feedback: readonly LessonFeedback[],
  { files, completions }: { files: RunFiles } & Pick<LessonSources, 'completions'>,
): Promise<ChatMessage[][]> {
  const ids = await files.once(RECENT, async () => {
    const known = new Set(feedback.map(({ messages }) => questionOf(messages)));
    const asked = await completions.lastAsked(base, LOOKED_AT);
    return asked
      .filter((each) => isOther(each, known))
      .map(({ id }) => id)
      .slice(0, MOST_RECENT);
  });
  // Only now, that it is written which they are: so nothing is learnt from that is forgotten meanwhile.
  const answers = await Promise.all(ids.map((id) => stillKept(id, completions)));
  return answers.map((answer) => answer && messagesOf(answer)).filter((messages) => messages !== undefined);
}

/**
 * Whether it learns from something that was forgotten since: then it has to begin anew. So has one of which that is not known any more, as its list is damaged.
 * @throws what keeps the list from being read
 */
export async function hasForgotten(
  files: RunFiles,
  completions: Pick<CompletionStore, 'find' | 'isPrivate'>,
): Promise<boolean> {
  try {
    for (const id of (await files.read(RECENT)) ?? []) {
      if ((await stillKept(id, completions)) === undefined) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof DamagedPiece) return true;
    throw error;
  }
}

/** An answer that may be learnt from; undefined where it was forgotten, or its conversation has become private. */
async function stillKept(id: string, completions: Pick<CompletionStore, 'find' | 'isPrivate'>) {
  return (await completions.isPrivate(id)) ? undefined : await completions.find(id);
}

/** A single question, and none that is known. */
function isOther(answer: Pick<CompletionRow, 'input'>, known: ReadonlySet<string>): boolean {
  const messages = messagesOf(answer) ?? [];
  return messages.filter(({ role }) => role !== 'system').length === 1 && !known.has(questionOf(messages));
}

/** What was asked; undefined where that is damaged. */
function messagesOf({ input }: Pick<CompletionRow, 'input'>): ChatMessage[] | undefined {
  const asked = keptInput.safeParse(parsedJson(input)).data;
  if (!asked) return undefined;
  return 'messages' in asked ? asked.messages : [{ role: 'user', content: asked.prompt }];
}
