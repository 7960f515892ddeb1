import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle, IconCheck, IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { Note } from '../../../components/Note.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { SettingMarks } from '../../../components/setting-field/SettingMarks.tsx';
import { useSettingField } from '../../../components/setting-field/useSettingField.ts';
import { Fields, FormSection } from '../fields/Fields.tsx';
import classes from '../settings.module.css';
import { NewToken } from './NewToken.tsx';

/** The token that programs and browsers have to show: whether there is one, a new one, and the way out. */
export function ApiToken() {
  const { t } = useTranslation('settings');
  const field = useSettingField('apiToken');
  const [asking, dialog] = useDisclosure();
  const [removing, removal] = useDisclosure();
  const make = useMutation(
    api.settings.newApiToken.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: api.settings.key() }),
    }),
  );
  const close = () => {
    dialog.close();
    make.reset();
  };
  // What main says against it stands at the token itself.
  const remove = () => {
    field?.save(null);
    removal.close();
  };
  const isSet = field?.setting.isSet ?? false;
  return (
    <FormSection title={t('token.title')} help={t('token.help')}>
      <div>
        <StateChip state={isSet ? 'good' : 'idle'} {...(isSet && { icon: IconCheck })}>
          {t(isSet ? 'token.isSet' : 'token.isNotSet')}
        </StateChip>
        {field?.error && (
          <Note state="error" icon={IconAlertTriangle} role="alert">
            {field.error}
          </Note>
        )}
        {field && <SettingMarks field={field} label={t('token.title')} resettable={false} />}
      </div>
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconKey size={15} aria-hidden />}
          disabled={field?.held}
          onClick={dialog.open}
        >
          {t(isSet ? 'token.renew' : 'token.make')}
        </Button>
        {field?.setting.origin === 'app' && (
          <Button variant="subtle" color="red" onClick={removal.open}>
            {t('token.remove')}
          </Button>
        )}
      </div>
      <Fields of="api" />
      <ConfirmDialog
        opened={removing}
        title={t('token.askRemoveTitle')}
        action={t('token.remove')}
        onConfirm={remove}
        onClose={removal.close}
      >
        {t('token.askRemove')}
      </ConfirmDialog>
      <NewToken
        opened={asking}
        replaces={isSet}
        token={make.data?.token}
        error={make.error}
        making={make.isPending}
        onMake={() => make.mutate(undefined)}
        onClose={close}
      />
    </FormSection>
  );
}
