import { Button } from '@mantine/core';
import { IconPlayerStopFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Meter } from '../../../components/Meter.tsx';
import classes from './audits.module.css';

interface WorkBarProps {
  label: string;
  /** How far it is. */
  children: ReactNode;
  /** 0 to 1. */
  share: number;
  /** What the share is, for those who hear it. Default: the words say it. */
  shareLabel?: string;
  isEnding?: boolean;
  onCancel: () => void;
}

/** How far something is that takes minutes, with the way to end it. */
export function WorkBar({ label, children, share, shareLabel, isEnding = false, onCancel }: WorkBarProps) {
  const { t } = useTranslation('common');
  return (
    <section className={classes.bar} aria-label={label}>
      <div className={classes.barLine}>
        <span className={classes.barWords}>{children}</span>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlayerStopFilled size={14} aria-hidden />}
          loading={isEnding}
          onClick={onCancel}
        >
          {t('action.cancel')}
        </Button>
      </div>
      <Meter parts={[{ share }]} {...(shareLabel !== undefined && { label: shareLabel })} />
    </section>
  );
}
