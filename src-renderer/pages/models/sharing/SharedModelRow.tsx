import { Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { LocalModel, Sharing } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { tellError } from '../../../components/errors/tell-error.ts';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';

interface SharedModelRowProps {
  model: LocalModel;
  title: string;
  /** Undefined while it is not shared. */
  shared: Sharing['models'][number] | undefined;
}

/** Whether one model is shared, with whom and how much. */
export function SharedModelRow({ model: { name, bytes }, title, shared }: SharedModelRowProps) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const handlers = {
    onSuccess: (sharing: Sharing) => queryClient.setQueryData(api.models.sharing.queryKey(), sharing),
    onError: (error: unknown) => tellError(error),
  };
  const share = useMutation(api.models.share.mutationOptions(handlers));
  const unshare = useMutation(api.models.unshare.mutationOptions(handlers));
  const change = (on: boolean) => (on ? share : unshare).mutate({ name });
  return (
    <tr className={classes.row}>
      <th scope="row">
        <span className={classes.name}>{title}</span>
        <span className={classes.sub}>
          {shared ? t(`sharing.is.${shared.state}`, { percent: format.percent(shared.prepared) }) : t('sharing.is.not')}
          {shared?.problem && ` · ${worded(shared, 'problem')}`}
        </span>
      </th>
      <td className={`num ${classes.num} ${classes.wide}`}>{format.bytes(bytes)}</td>
      <td className={`num ${classes.num} ${classes.wide}`}>{shared ? format.number(shared.peers) : '–'}</td>
      <td className={`num ${classes.num}`}>{shared ? format.bytes(shared.uploadedBytes) : '–'}</td>
      <td className={classes.action}>
        <Switch
          className={classes.switch}
          aria-label={t('sharing.shareOf', { name: title })}
          checked={shared !== undefined}
          disabled={share.isPending || unshare.isPending}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      </td>
    </tr>
  );
}
