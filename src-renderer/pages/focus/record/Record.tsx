import { useTranslation } from 'react-i18next';
import type { FocusState } from '../../../../src-preload/contract/focus.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { useRecording } from '../../../state/recording.ts';
import { Guide } from './Guide.tsx';
import { Interrupted } from './Interrupted.tsx';
import { RecordForm } from './RecordForm.tsx';
import { RecordingBar } from './RecordingBar.tsx';
import { SourcePicker } from './SourcePicker.tsx';

/** What is recorded now, what was interrupted, and how another one begins. */
export function Record({ state, error }: { state: FocusState | undefined; error: unknown }) {
  const { t } = useTranslation('focus');
  const { now, ended, problem, error: failure } = useRecording();
  const elsewhere = state?.live && state.live.recording.id !== now?.id ? state.live.recording : undefined;
  const interrupted = state?.interrupted ?? [];
  return (
    <PageBody>
      {!now && <Guide />}
      {now && <RecordingBar now={now} />}
      {now?.pick && <SourcePicker pick={now.pick} />}
      {!now && ended && <Note state="idle" role="status" title={t(`ended.${ended}`)} spaced />}
      {!now && problem && <Note state="error" role="alert" title={t(`problem.${problem}`)} spaced />}
      {!now && failure !== undefined && <ErrorNote error={failure} />}
      {!now && elsewhere && <Note state="wait" title={t('elsewhere', { title: elsewhere.title })} spaced />}
      <ErrorNote error={error} />
      {!now && interrupted.length > 0 && <Interrupted recordings={interrupted} />}
      {!now && !elsewhere && <RecordForm room={state?.room} />}
    </PageBody>
  );
}
