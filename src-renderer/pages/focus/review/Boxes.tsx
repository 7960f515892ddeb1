import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Box, Change, Edits } from './edit-list.ts';
import classes from './review.module.css';
import { tenthsText } from './time-text.ts';

interface BoxesProps {
  edits: Edits;
  atMs: number;
  onChange: (change: Change) => void;
  onSeek: (ms: number) => void;
}

/** Covered areas, with when each begins and ends. */
export function Boxes({ edits, atMs, onChange, onSeek }: BoxesProps) {
  const { t } = useTranslation('focus');
  if (edits.boxes.length === 0) return null;
  const at = Math.round(atMs);
  return (
    <ul className={classes.boxes} aria-label={t('review.areas')}>
      {edits.boxes.map((box, index) => {
        const change = (part: Partial<Box>) => onChange({ type: 'change', index, box: { ...box, ...part } });
        return (
          <li key={index}>
            <Text size="sm">
              {t('review.area', { number: index + 1, from: tenthsText(box.fromMs), to: tenthsText(box.toMs) })}
            </Text>
            <Group gap={6}>
              <Button size="xs" variant="default" onClick={() => onSeek(box.fromMs)}>
                {t('review.show')}
              </Button>
              <Button size="xs" variant="default" disabled={at >= box.toMs} onClick={() => change({ fromMs: at })}>
                {t('review.beginHere')}
              </Button>
              <Button size="xs" variant="default" disabled={at <= box.fromMs} onClick={() => change({ toMs: at })}>
                {t('review.endHere')}
              </Button>
              <ActionIcon
                variant="default"
                aria-label={t('review.uncover', { number: index + 1 })}
                onClick={() => onChange({ type: 'uncover', index })}
              >
                <IconTrash size={15} stroke={1.6} aria-hidden />
              </ActionIcon>
            </Group>
          </li>
        );
      })}
    </ul>
  );
}
