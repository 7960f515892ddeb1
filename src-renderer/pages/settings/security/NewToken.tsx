import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../components/copy/CopyButton.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import classes from '../settings.module.css';

interface NewTokenProps {
  opened: boolean;
  /** There is a token already, which others may use. */
  replaces: boolean;
  /** The new one, once it is made. */
  token: string | undefined;
  error: unknown;
  making: boolean;
  onMake: () => void;
  onClose: () => void;
}

/** Asks first, then shows the new token this once. It is kept nowhere in the page. */
export function NewToken({ opened, replaces, token, error, making, onMake, onClose }: NewTokenProps) {
  const { t } = useTranslation(['settings', 'common']);
  return (
    <Modal opened={opened} onClose={onClose} title={t('token.new')}>
      {token ? (
        <Made token={token} onClose={onClose} />
      ) : (
        <Stack>
          <Text size="sm">{t(replaces ? 'token.askRenew' : 'token.askMake')}</Text>
          <ErrorNote error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:action.cancel')}
            </Button>
            <Button loading={making} onClick={onMake}>
              {t('token.make')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function Made({ token, onClose }: { token: string; onClose: () => void }) {
  const { t } = useTranslation(['settings', 'common']);
  return (
    <Stack>
      <Text size="sm">{t('token.once')}</Text>
      <div className={classes.secret}>{token}</div>
      <CopyButton text={token} />
      <Button onClick={onClose}>{t('common:action.close')}</Button>
    </Stack>
  );
}
