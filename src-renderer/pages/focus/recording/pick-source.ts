import { client } from '../../../api/client.ts';
import { type Picked, showRecording } from '../../../state/recording.ts';
import { NoSource } from './source.ts';

/**
 * In the app’s own window no browser asks what to record: the page does, and tells main what was chosen.
 * @throws NoSource where somebody did not want to
 */
export async function pickSource(): Promise<Picked> {
  const { promise, resolve } = Promise.withResolvers<Picked | undefined>();
  showRecording({ pick: resolve });
  const picked = await promise;
  showRecording({ pick: undefined });
  if (!picked) throw new NoSource();
  await client.focus.choose({ id: picked.id });
  return picked;
}
