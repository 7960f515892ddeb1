import type { z } from 'zod';
import { type Submission, submissionSchema } from '../../../../src-preload/contract/data.ts';
import { sentenceSchema } from '../../../../src-preload/contract/saying-schema.ts';
import { keptJson } from '../../../base/kept-json.ts';
import { ClipSubmissionStore, type StoredSubmission } from '../../../store/clips/clip-submissions.ts';
import type { Core } from '../core.ts';
import type { Submissions } from './data.ts';

const clipsSchema: z.ZodType<Submission['clips']> = submissionSchema.shape.clips;

/** What was handed in, by this node and to it, as people look at it. */
export function keptSubmissions({ db }: Pick<Core, 'db'>): Submissions {
  const store = new ClipSubmissionStore(db);
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
