import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../../../src-preload/contract/conversations.ts';
import { AttachedFiles } from '../files/AttachedFiles.tsx';
import classes from '../playground.module.css';
import { Rewrite } from './Rewrite.tsx';
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
    return <Rewrite label={t('edit')} explain={t('editExplain')} draft={draft} onChange={setDraft} onSend={send} />;
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
