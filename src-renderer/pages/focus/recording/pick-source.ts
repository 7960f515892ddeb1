import { client } from '../../../api/client.ts';
import { showRecording } from '../../../state/recording.ts';
import { NoSource } from './source.ts';

/** In the app’s own window no browser asks what to record: the page does, and tells main what was chosen. @throws NoSource where somebody did not want to */
export async function pickSource(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  showRecording({ pick: resolve });
  const id = await promise;
  showRecording({ pick: undefined });
  if (id === undefined) throw new NoSource();
  await client.focus.choose({ id });
}
