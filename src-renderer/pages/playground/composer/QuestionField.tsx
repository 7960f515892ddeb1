import { Textarea } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, memo, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_TURN_CHARS } from '../../../../src-preload/contract/limits.ts';

/** What happens in the field, as it is handled now. */
export interface FieldHandlers {
  onText: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onPaste: (event: ClipboardEvent) => void;
}

interface QuestionFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  /** In a reference that stays: every time it is drawn the field measures itself, for which the browser lays out the whole page. */
  handlers: RefObject<FieldHandlers | undefined>;
}

/** The text of the next question. It is as high as that. */
export const QuestionField = memo(function QuestionField({ field, text, handlers }: QuestionFieldProps) {
  const { t } = useTranslation('playground');
  return (
    <Textarea
      ref={field}
      variant="unstyled"
      aria-label={t('message')}
      placeholder={t('message')}
      value={text}
      onChange={(event) => handlers.current?.onText(event.currentTarget.value)}
      onKeyDown={(event) => handlers.current?.onKeyDown(event)}
      onPaste={(event) => handlers.current?.onPaste(event)}
      autosize
      minRows={1}
      maxRows={8}
      maxLength={MAX_TURN_CHARS}
      data-kept // a reload leaves it there
    />
  );
});
