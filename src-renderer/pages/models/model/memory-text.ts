import { useTranslation } from 'react-i18next';
import { neededOf } from '../../../../src-preload/contract/fit-room.ts';
import type { ModelFit } from '../../../../src-preload/contract/models.ts';
import { useFormat } from '../../../i18n/format.ts';

const GB = 1_000_000_000;

/** «6.4 of 11.2 GB», both in one unit; says which memory where that is not the graphics card's. */
export function useMemoryText() {
  const { t } = useTranslation('models');
  const format = useFormat();
  return (room: ModelFit['room'], onGpuMachine: boolean): string => {
    const needed = neededOf(room);
    const inGigabytes = room.usable >= GB;
    const some = inGigabytes ? format.tenths(Math.max(0.1, needed / GB)) : format.bytes(needed);
    const kind = room.of === 'ram' && onGpuMachine ? 'ofRam' : 'of';
    return t(`memory.${kind}`, { needed: some, usable: format.bytes(room.usable) });
  };
}

/** «41», «8.5»; tenths matter where it is slow. */
export function useSpeedText() {
  const format = useFormat();
  return (tokensPerSecond: number) => format.number(tokensPerSecond, tokensPerSecond < 10 ? 1 : 0);
}

/** «135 million», «4.0 billion» */
export function useParametersText() {
  const { t } = useTranslation('models');
  const format = useFormat();
  return (parameters: number): string =>
    parameters < 999.5e6
      ? t('card.millions', { number: format.number(parameters / 1e6) })
      : t('card.billions', { number: format.number(parameters / 1e9, 1) });
}
