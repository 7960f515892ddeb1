import { Button, Text } from '@mantine/core';
import { IconFileImport, IconPlus, IconSignature } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Overheard } from '../../../components/chain/Overheard.tsx';
import { shortAddress } from '../../../components/chain/short-address.ts';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { onWantedAction } from '../../../state/wanted.ts';
import { KeyPager, KeySearch } from '../KeyPager.tsx';
import { Refusals } from '../Refusals.tsx';
import { type KeyPage, useKeyPage } from '../use-key-page.ts';
import { keyId, type NamedKey, type WalletList } from '../wallet-list.ts';
import { ChangePassword } from './ChangePassword.tsx';
import { KeyInspector } from './KeyInspector.tsx';
import { SealingChip } from './SealingChip.tsx';
import { SignText } from './SignText.tsx';
import { VerifyText } from './VerifyText.tsx';
import { WritePublic } from './WritePublic.tsx';

type Dialog = { show: 'verify' } | { show: 'sign' | 'password' | 'public'; of: NamedKey };

/** The keys of every wallet, how each is kept, and what is done with them. */
export function Keys({ list, onNew }: { list: WalletList; onNew: (way: 'create' | 'bring') => void }) {
  const { t } = useTranslation('wallet');
  const [selected, setSelected] = useState<string>();
  const [dialog, setDialog] = useState<Dialog>();
  const page = useKeyPage(list);
  const { confidential } = list;
  const close = () => setDialog(undefined);
  useEffect(() => onWantedAction('verifyText', () => setDialog({ show: 'verify' })), []);
  return (
    <>
      <ListAndDetails
        title={t('keys.key')}
        rows={page.rows}
        keyOf={keyId}
        selected={selected}
        onSelect={setSelected}
        details={(key) => (
          <KeyInspector
            key={keyId(key)}
            of={key}
            confidential={confidential}
            onSign={() => setDialog({ show: 'sign', of: key })}
            onChangePassword={() => setDialog({ show: 'password', of: key })}
            onWritePublic={() => setDialog({ show: 'public', of: key })}
          />
        )}
      >
        {(shown, select) => (
          <div className={classes.list}>
            <div className={classes.tools}>
              <Button
                leftSection={<IconPlus size={15} aria-hidden />}
                disabled={!confidential}
                onClick={() => onNew('create')}
              >
                {t('keys.create')}
              </Button>
              <Button
                variant="default"
                leftSection={<IconFileImport size={15} stroke={1.6} aria-hidden />}
                disabled={!confidential}
                onClick={() => onNew('bring')}
              >
                {t('keys.bring')}
              </Button>
              <Button
                variant="subtle"
                color="gray"
                leftSection={<IconSignature size={15} stroke={1.6} aria-hidden />}
                onClick={() => setDialog({ show: 'verify' })}
              >
                {t('keys.verify')}
              </Button>
            </div>
            {!confidential && (
              <div className={classes.pad}>
                <Overheard />
              </div>
            )}
            {list.refusals.length > 0 && (
              <div className={classes.pad}>
                <Refusals of={list} />
              </div>
            )}
            <KeySearch page={page} />
            <KeyTable byWallet={page.byWallet} shown={shown} onSelect={select} />
            <KeyPager page={page} />
            <Text size="sm" c="var(--q-ink-2)" className={classes.pad}>
              {t('keys.lock')} {t('keys.folder')} <code>{list.folder}</code>
            </Text>
          </div>
        )}
      </ListAndDetails>
      {dialog?.show === 'sign' && <SignText of={dialog.of} onClose={close} />}
      {dialog?.show === 'password' && <ChangePassword of={dialog.of} onClose={close} />}
      {dialog?.show === 'public' && <WritePublic of={dialog.of} onClose={close} />}
      {dialog?.show === 'verify' && <VerifyText onClose={close} />}
    </>
  );
}

interface KeyTableProps {
  byWallet: KeyPage['byWallet'];
  shown: string | undefined;
  onSelect: (id: string) => void;
}

function KeyTable({ byWallet, shown, onSelect }: KeyTableProps) {
  const { t } = useTranslation('wallet');
  return (
    <table className={classes.table} aria-label={t('keys.title')}>
      <thead>
        <tr>
          <th scope="col">{t('keys.key')}</th>
          <th scope="col">{t('keys.file')}</th>
        </tr>
      </thead>
      {byWallet.map(([wallet, keys]) => (
        <tbody key={wallet}>
          <tr className={classes.group}>
            <th scope="rowgroup" colSpan={2}>
              {wallet}
            </th>
          </tr>
          {keys.map((key) => (
            <PickRow
              key={keyId(key)}
              name={key.hotkey ?? t('keys.coldkey')}
              below={key.address === null ? t('addresses.unknown') : <code>{shortAddress(key.address)}</code>}
              selected={shown === keyId(key)}
              onSelect={() => onSelect(keyId(key))}
              wide
            >
              <td>
                <SealingChip sealing={key.sealing} lacksPublic={key.lacksPublic} />
              </td>
            </PickRow>
          ))}
        </tbody>
      ))}
    </table>
  );
}
