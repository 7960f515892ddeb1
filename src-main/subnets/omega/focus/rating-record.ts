import { z } from 'zod';
import { modelScoreSchema, type Rating } from '../../../../src-preload/contract/focus-score.ts';
import { told, type Words } from '../../../../src-preload/contract/saying.ts';
import { sayingSchema } from '../../../../src-preload/contract/saying-schema.ts';
import type { StoredScore, StoredVerdict } from '../../../store/focus/focus-scores.ts';
import type { RecordingScore } from './score-recording.ts';

const share = z.number().nullable();
/** What is kept beside a model’s score, as JSON. */
const modelRecord = z.object({
  model: modelScoreSchema.nullable(),
  uniqueness: z.object({ task: share, description: share, pictures: share }),
  older: z.object({ score: share, parts: z.array(z.object({ part: z.string(), value: share, reason: sayingSchema })) }),
});
const wordsSchema = z.union([z.string(), sayingSchema]);

/** A score as rows of the database. */
export function rowsOf({ rules, model, uniqueness, older }: RecordingScore, at: number): StoredScore[] {
  const { version, score, findings } = rules;
  const none = { model: null, host: null };
  return [
    { scorer: 'rules', version, score, findings: JSON.stringify(findings), at, ...none },
    {
      scorer: 'model',
      version: model?.version ?? '',
      score: model?.score ?? null,
      findings: JSON.stringify({ model, uniqueness, older }),
      at,
      model: model?.model ?? null,
      host: model?.host ?? null,
    },
  ];
}

/** Of the rows of a recording, for people. */
export function ratingOf(rows: readonly StoredScore[]): Pick<Rating, 'model' | 'uniqueness' | 'older'> {
  const row = rows.find(({ scorer }) => scorer === 'model');
  if (!row) return { model: null, uniqueness: null, older: null };
  const { model, uniqueness, older } = modelRecord.parse(JSON.parse(row.findings));
  const parts = older.parts.map(({ reason, ...part }) => ({ ...part, ...told({ text: reason }) }));
  return { model, uniqueness, older: { score: older.score, parts } };
}

/** Why, as it is kept. */
export const keptWords = (why: Words): string => JSON.stringify(why);

export function readWords({ why }: Pick<StoredVerdict, 'why'>): Words {
  return wordsSchema.parse(JSON.parse(why));
}
