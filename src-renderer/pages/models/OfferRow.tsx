import { Badge, Button, Code, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconDownload, IconShieldCheck, IconShieldQuestion } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OfferedModel } from '../../../src-preload/contract/models.ts';
import { api } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { tellError } from '../../components/tell-error.ts';
import { useFormat } from '../../i18n/format.ts';

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
    pull.mutate({ sha256: offer.sha256, trust: !vouched });
  };
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {offer.name}
        </Text>
        <Text size="xs" c="dimmed" fw={400} title={offer.sha256}>
          {t('offers.facts', { quantisation: offer.quantisation, sha256: offer.sha256.slice(0, 12) })}
        </Text>
      </Table.Th>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{format.bytes(offer.bytes)}</Table.Td>
      <Table.Td>{offer.licence}</Table.Td>
      <Table.Td>{format.number(offer.seeders)}</Table.Td>
      <Table.Td>
        <Trust offer={offer} />
      </Table.Td>
      <Table.Td>
        <Button
          size="xs"
          variant="light"
          leftSection={<IconDownload size={14} aria-hidden />}
          loading={pull.isPending}
          aria-label={t('card.downloadOf', { title: offer.name })}
          onClick={vouched ? get : dialog.open}
        >
          {t('card.download')}
        </Button>
        <AskTrust offer={offer} opened={asking} onTrust={get} onClose={dialog.close} />
      </Table.Td>
    </Table.Tr>
  );
}

function Trust({ offer: { inCatalogue, trusted } }: { offer: OfferedModel }) {
  const { t } = useTranslation('models');
  const vouched = inCatalogue || trusted;
  const TrustIcon = vouched ? IconShieldCheck : IconShieldQuestion;
  return (
    <Badge color={vouched ? 'green' : 'yellow'} variant="light" leftSection={<TrustIcon size={14} aria-hidden />}>
      {t(inCatalogue ? 'offers.inCatalogue' : trusted ? 'offers.trusted' : 'offers.untrusted')}
    </Badge>
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
