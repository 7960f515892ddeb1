import { Box } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { neededOf } from '../../../../src-preload/contract/fit-room.ts';
import type { ModelFit } from '../../../../src-preload/contract/models.ts';
import { Meter } from '../../../components/Meter.tsx';
import { Facts } from '../../../components/page/Inspector.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';

const COLOURS = { weights: 'var(--q-c1)', cache: 'var(--q-c3)', overhead: 'var(--q-c4)' } as const;
const PARTS = ['weights', 'cache', 'overhead'] as const;

/** What takes a model's memory, part by part, and what is left. */
export function MemoryParts({ fit: { room } }: { fit: ModelFit }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const left = room.usable - neededOf(room);
  // What does not fit fills the bar, in its true proportions.
  const whole = Math.max(room.usable, neededOf(room));
  const parts = PARTS.map((part) => ({ share: room[part] / whole, colour: COLOURS[part] }));
  const label = t('memory.all', {
    weights: format.bytes(room.weights),
    cache: format.bytes(room.cache),
    overhead: format.bytes(room.overhead),
    usable: format.bytes(room.usable),
  });
  const last = t(left < 0 ? 'memory.missing' : 'memory.left');
  return (
    <>
      <Meter height={12} parts={parts} label={label} />
      <Box mt={10}>
        <Facts
          facts={[
            ...PARTS.map((part) => [<PartName key={part} part={part} />, format.bytes(room[part])] as const),
            [
              <span key="left" className={classes.left}>
                {last}
              </span>,
              <span key="bytes" className={classes.left}>
                {format.bytes(Math.abs(left))}
              </span>,
            ],
          ]}
        />
      </Box>
    </>
  );
}

function PartName({ part }: { part: (typeof PARTS)[number] }) {
  const { t } = useTranslation('models');
  return (
    <span className={classes.part}>
      <Box component="i" bg={COLOURS[part]} />
      {t(`memory.${part}`)}
    </span>
  );
}
