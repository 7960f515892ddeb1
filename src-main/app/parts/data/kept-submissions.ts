import type { z } from 'zod';
import { type MinerOfClips, type Submission, submissionSchema } from '../../../../src-preload/contract/data.ts';
import type { SubmissionRole } from '../../../../src-preload/contract/data-names.ts';
import { sentenceSchema } from '../../../../src-preload/contract/saying-schema.ts';
import { keptJson } from '../../../base/kept-json.ts';
import type { StoredSubmission } from '../../../store/clips/clip-submissions.ts';
import type { ClipStores } from './clip-stores.ts';

/** Submissions of clips: those that this node has handed in, and those that it was handed. */
export interface Submissions {
  /** The newest first. */
  list(wanted: {
    role?: SubmissionRole | undefined;
    before?: number | undefined;
    rows: number;
  }): Promise<{ submissions: Submission[]; next: number | null }>;
  /** The best first. */
  miners(): Promise<MinerOfClips[]>;
}

const clipsSchema: z.ZodType<Submission['clips']> = submissionSchema.shape.clips;

/** What was handed in, by this node and to it, as people look at it. */
export function keptSubmissions({ submissions: store }: Pick<ClipStores, 'submissions'>): Submissions {
  return {
    async list({ role, before, rows }) {
      const found = await store.list({ ...(role && { role }), ...(before && { before }), rows: rows + 1 });
      const submissions = found.slice(0, rows).map(viewOf);
      return { submissions, next: found.length > rows ? (submissions.at(-1)?.number ?? null) : null };
    },
    miners: () => store.miners(),
  };
}

function viewOf({ number, role, kind, at, peer, topic, score, reason, clips }: StoredSubmission): Submission {
  return {
    ...{ number, role, kind, at, with: peer, topic, score },
    reason: reason === null ? null : (keptJson(reason, sentenceSchema) ?? null),
    clips: keptJson(clips, clipsSchema) ?? [],
  };
}
