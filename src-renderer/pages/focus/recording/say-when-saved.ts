import { useRecording } from '../../../state/recording.ts';

/** Says what of, and how long, once what is recorded now has come to its end as it should. */
export function sayWhenSaved(): void {
  const stop = useRecording.subscribe(({ now, error, ended }, { now: last }) => {
    if (now) return;
    stop();
    if (last?.phase !== 'finishing' || last.id === undefined || error !== undefined || ended === 'nothing') return;
    const { id, title, activeMs } = last;
    useRecording.setState({ saved: { id, title, activeMs } });
  });
}
