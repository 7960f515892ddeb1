import { useFormat } from '../../i18n/format.ts';

/** How what a clip or a submission is worth is written: «0.112», «−5.000», and a dash where nobody has judged it. */
export function useWorth(): (worth: number | null) => string {
  const format = useFormat();
  return (worth) => (worth === null ? '–' : format.short(worth, 3).replace('-', '−'));
}
