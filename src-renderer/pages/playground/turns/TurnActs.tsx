import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconChevronLeft, IconChevronRight, IconCopy, type TablerIcon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../../../src-preload/contract/conversations.ts';
import { useCopy } from '../../../components/copy/useCopy.ts';
import classes from '../playground.module.css';

/** What can be done with the turns of a conversation. */
export interface TurnActs {
  /** Asks the last question again. */
  regenerate: () => void;
  edit: (turn: Turn, text: string) => void;
  /** Shows the branch of a turn, by its id. */
  show: (turn: number) => void;
  /** Nothing of the conversation is kept so that the model can learn from it. */
  isPrivate: boolean;
}

interface ActProps {
  icon: TablerIcon;
  label: string;
  disabled?: boolean;
  /** It is on or off; absent where it is neither. */
  pressed?: boolean;
  /** Whether what it opens is there; absent where it opens nothing. */
  expanded?: boolean;
  onClick: () => void;
}

/** Something that can be done with a turn: an icon with a name. */
export function Act({ icon: Icon, label, disabled = false, pressed, expanded, onClick }: ActProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={pressed ? 'light' : 'subtle'}
        color={pressed ? 'quarry' : 'gray'}
        onClick={onClick}
        disabled={disabled}
        aria-label={label}
        aria-pressed={pressed}
        aria-expanded={expanded}
      >
        <Icon size={15} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

export function Copy({ text }: { text: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  return (
    <Act icon={copied ? IconCheck : IconCopy} label={t(copied ? 'action.copied' : 'action.copy')} onClick={copy} />
  );
}

/** Which of several versions stands here, and the way to the others; nothing where there is one. */
export function Versions({
  turn: { id, versions },
  onShow,
}: {
  turn: Turn;
  onShow: ((turn: number) => void) | undefined;
}) {
  const { t } = useTranslation('playground');
  if (!versions || versions.length < 2) return null;
  const place = versions.indexOf(id);
  const to = (other: number) => {
    const turn = versions[other];
    return { disabled: turn === undefined || !onShow, onClick: () => turn !== undefined && onShow?.(turn) };
  };
  return (
    <span className={classes.versions}>
      <Act icon={IconChevronLeft} label={t('version.before')} {...to(place - 1)} />
      <span className="num" role="status" aria-label={t('version.is', { place: place + 1, count: versions.length })}>
        {place + 1} / {versions.length}
      </span>
      <Act icon={IconChevronRight} label={t('version.next')} {...to(place + 1)} />
    </span>
  );
}
