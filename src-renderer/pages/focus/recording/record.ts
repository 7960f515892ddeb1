import type { Recording } from '../../../../src-preload/contract/focus.ts';
import type { TaskChoice } from '../../../../src-preload/contract/focus-task-kinds.ts';
import { client } from '../../../api/client.ts';
import { isDesktop } from '../../../api/port.ts';
import { type RecordingView, showRecording, useRecording } from '../../../state/recording.ts';
import { countDown } from './countdown.ts';
import { pickSource } from './pick-source.ts';
import { sayWhenSaved } from './say-when-saved.ts';
import { type Beginning, ScreenRecorder } from './screen-recorder.ts';
import { NoSource, openSource, type Sound, type Source } from './source.ts';
import { THIS_PAGE } from './this-page.ts';

const MOST_LABEL_CHARS = 1_000;

/** What is to be recorded. */
interface Wanted {
  title: string;
  description: string;
  sound: Sound;
  /** Of a list; undefined for one’s own. */
  task: TaskChoice | undefined;
}

let calledOff = new AbortController();

/** Asks what to record, counts down, and records. Only while a click is being answered. */
export async function record(about: Wanted): Promise<void> {
  const { title, description, task } = about;
  await begin(about, ({ surface, sound, pictureSize }) => ({
    open: () => client.focus.begin({ title, description, task, surface, sound, ...pictureSize(), page: THIS_PAGE }),
    bytes: 0,
  }));
}

/** Goes on with one that was interrupted, in a new part. Only while a click is being answered. */
export async function goOnWith({ id, title, sound, bytes }: Recording): Promise<void> {
  await begin({ title, sound }, () => ({
    open: () => client.focus.goOn({ id, newPart: true, page: THIS_PAGE }),
    bytes,
  }));
}

/** Ends a countdown. */
export function callOff(): void {
  calledOff.abort();
  useRecording.setState({ now: undefined });
}

async function begin(
  { title, sound }: { title: string; sound: Sound },
  beginning: (source: Source) => Beginning,
): Promise<void> {
  if (useRecording.getState().now) return;
  calledOff = new AbortController();
  const { signal } = calledOff;
  const before = { saved: undefined, ended: undefined, problem: undefined, error: undefined };
  useRecording.setState({ now: atFirst(title, sound), ...before });
  let source: Source | undefined;
  try {
    const picked = isDesktop() ? await pickSource() : undefined;
    source = await openSource(sound, picked?.kind);
    await refuseExcluded(source);
    source.onEnded(callOffIfEarly);
    const { surface, sound: heard, stream, isOwnPage: isCounted } = source;
    showRecording({ phase: 'countdown', surface, sound: heard, stream, isCounted });
    if (!(await countDown((secondsToGo) => showRecording({ secondsToGo }), signal))) return source.close();
    await new ScreenRecorder(source, beginning(source)).open();
    sayWhenSaved();
  } catch (error) {
    source?.close();
    const told = error instanceof NoSource ? { problem: error.problem } : { error };
    useRecording.setState({ now: undefined, ...told });
  }
}

/** Where the browser says what was chosen, it is held to the list of what is never recorded. @throws NoSource */
async function refuseExcluded({ label }: Source): Promise<void> {
  const { by } = await client.focus.excluded({ label: label.slice(0, MOST_LABEL_CHARS) });
  if (by !== null) throw new NoSource('excluded');
}

function callOffIfEarly(): void {
  if (useRecording.getState().now?.phase === 'countdown') callOff();
}

function atFirst(title: string, sound: Sound): RecordingView {
  const nothing = {
    secondsToGo: 0,
    activeMs: 0,
    bytes: 0,
    seconds: [],
    waitingBytes: 0,
    isAway: false,
    isBehind: false,
  };
  return { phase: 'choosing', title, sound, ...nothing };
}
