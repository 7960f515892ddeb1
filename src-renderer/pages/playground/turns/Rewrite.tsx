import { Button, Textarea } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_TURN_CHARS } from '../../../../src-preload/contract/limits.ts';
import { useUnsaved } from '../../../api/unsaved.ts';
import classes from '../playground.module.css';

interface RewriteProps {
  label: string;
  /** Below the field: what happens when it is sent. */
  explain: string;
  draft: string;
  /** Stands in the field while it is empty. */
  placeholder?: string;
  /** It has many lines: Enter begins another, Ctrl+Enter sends. Default false: Enter sends */
  isLong?: boolean;
  /** Default: those of a turn. */
  maxLength?: number;
  /** What is sent now would change nothing. */
  unchanged?: boolean;
  pending?: boolean;
  /** Undefined leaves everything as it is. */
  onChange: (draft: string | undefined) => void;
  onSend: () => void;
}

/** A field in the place of a turn, or below it: Enter sends, Escape takes back. */
export function Rewrite(props: RewriteProps) {
  const { label, explain, draft, placeholder, isLong = false, maxLength = MAX_TURN_CHARS, onChange, onSend } = props;
  const { t } = useTranslation(['playground', 'common']);
  const hasText = draft.trim() !== '' && !props.unchanged;
  useUnsaved(hasText);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onChange(undefined);
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    if (isLong && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (hasText || !isLong) onSend();
  };
  return (
    <div className={classes.rewrite}>
      <Textarea
        variant="unstyled"
        aria-label={label}
        placeholder={placeholder ?? ''}
        value={draft}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autosize
        autoFocus
        minRows={1}
        maxRows={10}
        maxLength={maxLength}
      />
      <div className={classes.rewriteRow}>
        <span className={classes.space}>{explain}</span>
        <Button size="xs" variant="default" onClick={() => onChange(undefined)}>
          {t('action.cancel', { ns: 'common' })}
        </Button>
        <Button size="xs" onClick={onSend} disabled={!hasText} loading={props.pending ?? false}>
          {t('send')}
        </Button>
      </div>
    </div>
  );
}
