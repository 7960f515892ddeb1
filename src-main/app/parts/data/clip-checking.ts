import { join } from 'node:path';
import type { SubmissionKind } from '../../../../src-preload/contract/data-names.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { ClipIndex } from '../../../clips/index/clip-index.ts';
import { mediaWhenAsked } from '../../../clips/media/media-when-asked.ts';
import { noMedia } from '../../../clips/media/media-words.ts';
import { noModels } from '../../../clips/models/no-models.ts';
import type { ForgottenVector } from '../../../store/clips/clip-submissions.ts';
import type { ClipJudgeSource, KeptClips } from '../../../subnets/omega/clips/checking/checking-ports.ts';
import { ClipLook } from '../../../subnets/omega/clips/checking/look-closely.ts';
import { soundsEnvironment } from '../../../subnets/omega/clips/checking/sounds-environment.ts';
import { videosEnvironment } from '../../../subnets/omega/clips/checking/videos-environment.ts';
import type { Environment } from '../../../validation/environment.ts';
import type { Core } from '../core.ts';
import type { ClipStores } from './clip-stores.ts';
import type { ClipToolsPart } from './clip-tools.ts';

interface CheckingNeeds extends Pick<ClipToolsPart, 'sources' | 'media' | 'models'> {
  stores: Pick<ClipStores, 'submissions' | 'path'>;
}

/** What miners are asked for clips and sounds by. Nothing is loaded or fetched before they are asked. */
export async function openClipChecking(
  { onClose }: Pick<Core, 'onClose'>,
  { stores, sources, media, models }: CheckingNeeds,
): Promise<readonly Environment[]> {
  const { submissions, path } = stores;
  const index = new ClipIndex<SubmissionKind>({
    pages: (space, kind, after, rows) => submissions.vectors({ space, kind, after, rows }),
    folder: join(path, 'known-index'),
  });
  onClose(() => index.close());
  const reader = mediaWhenAsked(media);
  const look = new ClipLook({
    source: (kind) => (sources.ready.includes(kind) ? sources.get(kind) : undefined),
    media: reader,
    folder: join(path, 'looked-at'),
  });
  await look.open();
  const judge = judgeSource(models, media);
  const ports = { judge, media: reader, look, known: knownIn(index), submissions };
  return [videosEnvironment(ports) as Environment, soundsEnvironment(ports) as Environment];
}

function judgeSource(models: ClipToolsPart['models'], media: ClipToolsPart['media']): ClipJudgeSource {
  return {
    get space() {
      return models.now.vectors?.space;
    },
    async use() {
      const { vectors, thresholds, soundThresholds, listeners } = models.now;
      if (!vectors) throw noModels();
      if (!thresholds) throw notMeasured();
      if (!(await media.tool())) throw noMedia();
      return { models: vectors, thresholds, soundThresholds, listeners };
    },
  };
}

function notMeasured(): QuarryError {
  const [message, hint] = [say('clipValidation.notMeasured'), say('clipValidation.notMeasured.hint')];
  return new QuarryError({ code: 'ENGINE_UNAVAILABLE', message, hint });
}

/** What was handed in before, by an index of its own. */
export function knownIn(index: Pick<ClipIndex<SubmissionKind>, 'nearest' | 'add' | 'remove'>): KeptClips {
  return {
    async distances(clips, { space, kind, except }) {
      const found = await index.nearest(clips, { space, kind, count: 1, except });
      return found.map(([near]) => (near ? 1 - near.closeness : 2));
    },
    added: (name, clips) => index.add(name, clips),
    async forgotten(clips) {
      const together = Map.groupBy(clips, ({ space, kind }) => JSON.stringify([space, kind]));
      for (const some of together.values()) {
        const { space, kind } = some[0] as ForgottenVector;
        await index.remove(
          { space, kind },
          some.map(({ id }) => id),
        );
      }
    },
  };
}
