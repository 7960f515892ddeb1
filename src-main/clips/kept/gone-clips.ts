import type { ClipStore } from '../../store/clips/clips.ts';
import type { ClipFolder } from './clip-folder.ts';

/** Deletes the files of clips that are gone. */
export async function removeGone(clips: ClipStore, folder: ClipFolder): Promise<void> {
  for (let gone = await clips.gone(); gone.length > 0; gone = await clips.gone()) {
    for (const one of gone) if (!(await clips.get(one.clip))) await folder.remove({ ...one });
    await clips.forget(gone.map(({ clip }) => clip)); // a kill before has the same files deleted once more
  }
}
