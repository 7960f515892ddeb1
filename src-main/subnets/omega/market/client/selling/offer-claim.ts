import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Recording } from '../../../../../../src-preload/contract/focus.ts';
import type { TaskKind } from '../../../../../../src-preload/contract/focus-task-kinds.ts';
import type { OfferKind } from '../../../../../../src-preload/contract/market-names.ts';
import type { Signer } from '../../../../../base/signing.ts';
import type { SignedScore } from '../../../focus/signed-score.ts';
import { scoreCardBytes } from '../../signing.ts';
import type { Submit } from '../../wire.ts';
import type { OfferedVideo } from '../ports.ts';

export interface OfferedRecording {
  recording: Pick<Recording, 'title' | 'description' | 'startedAt' | 'task'>;
  /** In the place of its description. */
  note?: string | undefined;
  /** The file that is sent. */
  video: Pick<Submit, 'sha256' | 'bytes' | 'durationMs'>;
  /** The end of its chain, and whose key signed that: a node that was set up anew has another one by now. */
  end: Pick<Submit['chain'], 'chunks' | 'node' | 'link' | 'signature'>;
  /** What the rules on this computer say. */
  rules: { version: string; score: number };
  /** What the model says, signed: it is of the recording’s own words and by today’s key, so none goes with others. */
  signed: SignedScore | null;
  /** Unix milliseconds. */
  at: number;
}

/** Of one offer alone, or of one that is to be: the file of the offer before goes when that one is forgotten. */
export const newOfferFile = (folder: string): string => join(folder, `${randomBytes(16).toString('hex')}.offer.webm`);

/** As markets call tasks of which they have lists themselves. */
const LISTED: Partial<Record<TaskKind, OfferKind>> = { boosted: 'boosted', platform: 'marketplace' };

/** What a market is told of a recording, signed by this node: what it is, for which task, and how far that is done. */
export function offerClaim(
  { recording, note, video, end, rules: { version, score }, signed, at }: OfferedRecording,
  signer: Signer,
): OfferedVideo['about'] {
  const { title, description, startedAt, task } = recording;
  const chain = { ...end, startedAt };
  const kind = (task && LISTED[task.kind]) ?? 'user';
  const named = task && kind !== 'user' ? { task: task.id } : {};
  const own = signed && note === undefined && end.node === signer.id ? { signed } : {};
  const card = { version, score, at, ...named, ...own, node: signer.id };
  const signature = signer.sign(scoreCardBytes({ sha256: video.sha256, scoreCard: card, chain }));
  return {
    ...{ title, description: note ?? description, kind },
    ...{ ...video, scoreCard: { ...card, signature }, chain },
  };
}
