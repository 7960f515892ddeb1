import { Button } from '@mantine/core';
import { IconLink, IconLogout } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { isDesktop } from '../../../api/port.ts';
import { logOut } from '../../../api/session.ts';
import { CopyButton } from '../../../components/copy/CopyButton.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { FormSection } from '../fields/Fields.tsx';
import classes from '../settings.module.css';

/** A link that lets one browser in, and the way out for this one. */
export function BrowserLink() {
  const { t } = useTranslation('settings');
  const { data, error, isPending, mutate } = useMutation(api.node.entry.mutationOptions());
  return (
    <FormSection title={t('browserLink.title')} help={t('browserLink.help')}>
      <ErrorNote error={error} />
      {data && <Made {...data} />}
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconLink size={15} aria-hidden />}
          loading={isPending}
          onClick={() => mutate(undefined)}
        >
          {t(data ? 'browserLink.another' : 'browserLink.make')}
        </Button>
        {!isDesktop() && (
          <Button
            variant="default"
            leftSection={<IconLogout size={15} aria-hidden />}
            onClick={() => void logOut().then(() => location.reload())}
          >
            {t('browserLink.logOut')}
          </Button>
        )}
      </div>
    </FormSection>
  );
}

function Made({ url, expiresAt }: { url: string; expiresAt: number }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  return (
    <div>
      <div className={classes.secret}>{url}</div>
      <p className={classes.hint}>{t('browserLink.once', { time: format.clock(expiresAt) })}</p>
      <div className={classes.buttons} style={{ marginTop: 8 }}>
        <CopyButton text={url} />
      </div>
    </div>
  );
}
