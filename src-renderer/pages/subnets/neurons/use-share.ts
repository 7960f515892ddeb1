import { useFormat } from '../../../i18n/format.ts';

/** A share of 1 as the field writes it: 0.04 as «0.0400», and nothing at all as «0». */
export function useShare(): (share: number) => string {
  const format = useFormat();
  return (share) => {
    if (share === 0) return '0';
    return share < 0.0001 ? `< ${format.number(0.0001, 4)}` : format.short(share, 4);
  };
}
