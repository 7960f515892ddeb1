import { Anchor, Button, Code, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload, IconShieldCheck, IconShieldQuestion } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OfferedAdapter } from '../../../../src-preload/contract/learning-sharing.ts';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { tellError } from '../../../components/errors/tell-error.ts';
import { Meter } from '../../../components/Meter.tsx';
import classes from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { underWay } from '../../../state/downloads.ts';
import own from '../learning.module.css';
import { versionName } from './version-name.ts';

interface OfferedVersionProps {
  offer: OfferedAdapter;
  /** Of its file; undefined while none was begun. */
  download: Download | undefined;
}

/** One version that others share: for which model it is, whether it can be trusted, and how far it is here. */
export function OfferedVersion({ offer, download }: OfferedVersionProps) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const { bytes, sha256, baseName, baseHere, seeders, trusted } = offer;
  const name = versionName(offer);
  const vouched = trusted ? 'offers.trusted' : 'offers.untrusted';
  const nodes = t('offers.nodes', { count: seeders, formatted: format.number(seeders) });
  return (
    <tr className={classes.row}>
      <th scope="row" className={own.offered}>
        <span className={classes.name}>{name}</span>
        <span className={classes.sub} title={sha256}>
          {format.bytes(bytes)} · {nodes}
          <span className={classes.slim}> · {t(vouched)}</span>
        </span>
        <span className={classes.sub}>
          {baseHere === null ? t('offers.forMissing', { model: baseName }) : t('offers.for', { model: baseHere })}
        </span>
      </th>
      <td className={classes.wide}>
        <StateChip state={trusted ? 'good' : 'pause'} icon={trusted ? IconShieldCheck : IconShieldQuestion}>
          {t(vouched)}
        </StateChip>
      </td>
      <td className={classes.action}>
        {download && underWay(download) ? (
          <UnderWay download={download} name={name} />
        ) : (
          <Fetch offer={offer} name={name} />
        )}
      </td>
    </tr>
  );
}

function Fetch({ offer, name }: { offer: OfferedAdapter; name: string }) {
  const { t } = useTranslation('learning');
  const [asking, dialog] = useDisclosure();
  const { sha256, trusted, here, baseHere } = offer;
  const chosen = { version: sha256, adapter: offer.name, model: baseHere ?? undefined };
  const fetched = useMutation(
    api.learning.fetch.mutationOptions({ onError: (error) => tellError(error, t('offers.notStarted')) }),
  );
  const get = () => {
    dialog.close();
    fetched.mutate({ ...chosen, trust: !trusted }); // named and for the model as this row says, and no other
  };
  if (here !== null) return <span className={classes.sub}>{t('offers.here', { name: here })}</span>;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} stroke={1.6} aria-hidden />}
        disabled={baseHere === null}
        loading={fetched.isPending}
        aria-label={t('offers.fetchOne', { name })}
        onClick={trusted ? get : dialog.open}
      >
        {t('offers.fetch')}
      </Button>
      <ConfirmDialog
        opened={asking}
        stackId={`trust ${sha256}`}
        title={t('offers.askTitle', { name })}
        action={t('offers.trustIt')}
        onConfirm={get}
        onClose={dialog.close}
      >
        <Text size="sm">{t('offers.ask')}</Text>
        <Code block className={own.hash}>
          {sha256}
        </Code>
      </ConfirmDialog>
    </>
  );
}

/** How far it is; what can be done about it is where all downloads are. */
function UnderWay({ download, name }: { download: Download; name: string }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const { state, received, bytes, problem } = download;
  const share = bytes ? received / bytes : 0;
  const words = problem ? worded(problem, 'message') : t(`offers.state.${state}`, { share: format.percent(share) });
  return (
    <div className={own.underWay}>
      <Meter label={t('offers.progress', { name, share: format.percent(share) })} parts={[{ share }]} />
      <span className={classes.sub} role="status">
        {words}{' '}
        <Anchor href="#/models/downloads" inherit underline="always">
          {t('offers.toDownloads')}
        </Anchor>
      </span>
    </div>
  );
}
