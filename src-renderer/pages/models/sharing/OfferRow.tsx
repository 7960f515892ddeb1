import { Code, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconShieldCheck, IconShieldQuestion } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OfferedModel } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { tellError } from '../../../components/errors/tell-error.ts';
import classes from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { modelTitle } from '../../../i18n/model-title.ts';
import { DownloadButton } from '../downloads/DownloadButton.tsx';
import { licenceName } from '../model/licence-name.ts';

/** One model that others share, with whether it can be trusted. */
export function OfferRow({ offer }: { offer: OfferedModel }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const [asking, dialog] = useDisclosure();
  const vouched = offer.inCatalogue || offer.trusted;
  const pull = useMutation(
    api.models.pull.mutationOptions({
      onSuccess: ({ name }) => notifications.show({ message: t('address.started', { name }) }),
      onError: (error) => tellError(error, t('card.notStarted')),
    }),
  );
  const get = () => {
    dialog.close();
    pull.mutate({ sha256: offer.sha256, name: offer.inCatalogue ? undefined : offer.name, trust: !vouched });
  };
  const { title, quantisation } = modelTitle(offer.name);
  return (
    <tr className={classes.row}>
      <th scope="row">
        <span className={classes.name}>{title}</span>
        <span className={classes.sub} title={offer.sha256}>
          {offer.quantisation || quantisation}
        </span>
      </th>
      <td className={`num ${classes.num} ${classes.wide}`}>{format.bytes(offer.bytes)}</td>
      <td className={classes.wide}>{licenceName(offer.licence)}</td>
      <td className={`num ${classes.num} ${classes.wide}`}>{t('offers.nodes', { count: offer.seeders })}</td>
      <td>
        <Trust offer={offer} />
      </td>
      <td className={classes.action}>
        <DownloadButton title={title} loading={pull.isPending} onClick={vouched ? get : dialog.open} />
        <AskTrust offer={offer} opened={asking} onTrust={get} onClose={dialog.close} />
      </td>
    </tr>
  );
}

function Trust({ offer: { inCatalogue, trusted } }: { offer: OfferedModel }) {
  const { t } = useTranslation('models');
  const vouched = inCatalogue || trusted;
  return (
    <StateChip state={vouched ? 'good' : 'pause'} icon={vouched ? IconShieldCheck : IconShieldQuestion}>
      {t(inCatalogue ? 'offers.inCatalogue' : trusted ? 'offers.trusted' : 'offers.untrusted')}
    </StateChip>
  );
}

interface AskTrustProps {
  offer: OfferedModel;
  opened: boolean;
  onTrust: () => void;
  onClose: () => void;
}

/** A file that only strangers vouch for is taken when somebody says so, knowing which it is. */
function AskTrust({ offer: { name, sha256, signers }, opened, onTrust, onClose }: AskTrustProps) {
  const { t } = useTranslation('models');
  return (
    <ConfirmDialog
      opened={opened}
      title={t('offers.askTitle', { name })}
      action={t('offers.trustIt')}
      colour="orange"
      onConfirm={onTrust}
      onClose={onClose}
    >
      <Text size="sm">{t('offers.ask')}</Text>
      <Text size="sm">{t('offers.fingerprint')}</Text>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {sha256}
      </Code>
      <Text size="sm">{t('offers.signers', { count: signers.length })}</Text>
    </ConfirmDialog>
  );
}
