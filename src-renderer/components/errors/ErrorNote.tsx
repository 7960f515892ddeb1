import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { toQuarryError } from '../../api/errors.ts';
import { worded } from '../../i18n/worded.ts';
import { useCopy } from '../copy/useCopy.ts';
import { Note } from '../Note.tsx';

/** An error beside its cause: what happened, what to do, and a way to try again. Nothing without an error. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { t } = useTranslation();
  if (!error) return null;
  const named = toQuarryError(error);
  const actions = (
    <>
      {onRetry && (
        <Button size="xs" variant="default" onClick={onRetry}>
          {t('error.retry')}
        </Button>
      )}
      <CopyDetails error={named} />
    </>
  );
  return (
    <Note state="error" icon={IconAlertTriangle} title={worded(named, 'message')} role="alert" actions={actions}>
      {worded(named, 'hint')}
    </Note>
  );
}

/** What somebody who helps wants to know: the code, and main's own words. */
function CopyDetails({ error }: { error: QuarryError }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy([error.code, error.message, error.hint].filter(Boolean).join(' · '));
  return (
    <Button size="xs" variant="subtle" color="gray" onClick={copy}>
      {t(copied ? 'action.copied' : 'error.copyDetails')}
    </Button>
  );
}
