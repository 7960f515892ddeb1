import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AdapterVersion } from '../../../../src-preload/contract/learning-versions.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { Facts } from '../../../components/page/Inspector.tsx';
import { useFocusBack } from '../../../components/use-focus-back.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../learning.module.css';
import { refreshLearning } from '../use-learning.ts';
import { versionName } from './version-name.ts';

interface ShareDialogProps {
  version: AdapterVersion;
  onClose: () => void;
}

/** Asks before a version goes out, with all that others get, and what they may read out of it. */
export function ShareDialog({ version, onClose }: ShareDialogProps) {
  const { t } = useTranslation('learning');
  useFocusBack();
  const format = useFormat();
  const { data, error } = useAnswer(api.learning.sharing.queryOptions({ input: { version: version.id } }));
  const share = useMutation(api.learning.share.mutationOptions({ onSuccess: onClose, onSettled: refreshLearning }));
  const offer = data?.offer;
  const name = versionName(version);
  return (
    <ConfirmDialog
      opened
      title={t('share.title', { name })}
      action={t('share.do')}
      pending={share.isPending}
      error={share.error ?? error}
      onConfirm={() => share.mutate({ version: version.id })}
      onClose={onClose}
    >
      <Text size="sm">{t('share.private')}</Text>
      <Text size="sm">{t('share.forGood')}</Text>
      <Facts
        facts={[
          [t('share.name'), name],
          [t('versions.size'), offer && format.bytes(offer.bytes)],
          ['SHA-256', offer && <Hash key="file" text={offer.sha256} />],
          [t('share.model'), offer?.baseName],
          [t('share.modelHash'), offer && <Hash key="model" text={offer.base} />],
        ]}
      />
    </ConfirmDialog>
  );
}

const Hash = ({ text }: { text: string }) => <code className={classes.hash}>{text}</code>;
