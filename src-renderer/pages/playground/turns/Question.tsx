import { Button, Textarea } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../../../src-preload/contract/conversations.ts';
import { MAX_TURN_CHARS } from '../../../../src-preload/contract/limits.ts';
import { useUnsaved } from '../../../api/unsaved.ts';
import { AttachedFiles } from '../files/AttachedFiles.tsx';
import classes from '../playground.module.css';
import { Act, Copy, type TurnActs, Versions } from './TurnActs.tsx';

/** What was asked. It can be changed: then a branch begins here. */
export function Question({ turn, acts }: { turn: Turn; acts: TurnActs | undefined }) {
  const { t } = useTranslation('playground');
  const [draft, setDraft] = useState<string>();
  if (draft !== undefined && acts) {
    const send = () => {
      setDraft(undefined);
      if (draft.trim() !== '') acts.edit(turn, draft);
    };
    return <Rewrite draft={draft} onChange={setDraft} onSend={send} />;
  }
  return (
    <article className={classes.question} aria-label={t('you')}>
      {turn.files && <AttachedFiles files={turn.files} />}
      <div className={classes.bubble}>{turn.text}</div>
      <div className={classes.underBubble}>
        <Versions turn={turn} onShow={acts?.show} />
        <span className={classes.quiet}>
          {acts && <Act icon={IconPencil} label={t('edit')} onClick={() => setDraft(turn.text)} />}
          <Copy text={turn.text} />
        </span>
      </div>
    </article>
  );
}

interface RewriteProps {
  draft: string;
  /** Undefined leaves the question as it is. */
  onChange: (draft: string | undefined) => void;
  onSend: () => void;
}

function Rewrite({ draft, onChange, onSend }: RewriteProps) {
  const { t } = useTranslation(['playground', 'common']);
  useUnsaved(true);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onChange(undefined);
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  return (
    <div className={classes.rewrite}>
      <Textarea
        variant="unstyled"
        aria-label={t('edit')}
        value={draft}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autosize
        autoFocus
        minRows={1}
        maxRows={10}
        maxLength={MAX_TURN_CHARS}
      />
      <div className={classes.rewriteRow}>
        <span className={classes.space}>{t('editExplain')}</span>
        <Button size="xs" variant="default" onClick={() => onChange(undefined)}>
          {t('action.cancel', { ns: 'common' })}
        </Button>
        <Button size="xs" onClick={onSend} disabled={draft.trim() === ''}>
          {t('send')}
        </Button>
      </div>
    </div>
  );
}
