import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Milliseconds for which a button says that it has copied. */
const SAID_MS = 1_500;

/** Copies a text, or says that the browser does not let it: over plain http it has no clipboard for pages. */
export function useCopy(text: string): { copied: boolean; copy: () => void } {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await toClipboard(text)) setCopied(true);
    else notifications.show({ color: 'yellow', message: t('action.notCopied') });
  };
  return { copied, copy: () => void copy() };
}

async function toClipboard(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copySelected(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copySelected(text),
  );
}

/** The old way, which works on pages that came over plain http too. */
function copySelected(text: string): boolean {
  const active = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  // Inside the dialog that is open, if there is one: it keeps the focus to itself.
  (active?.closest('[role="dialog"]') ?? document.body).append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (active instanceof HTMLElement) active.focus();
  return done;
}
