import { Group, Text } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyIcon } from '../copy/CopyIcon.tsx';
import classes from './chain.module.css';
import { shortAddress } from './short-address.ts';

interface AddressProps {
  /** ss58 */
  address: string;
  /** The whole of it, in groups of four with its ends marked, for comparing. Default: its ends alone. */
  whole?: boolean;
  /** Default: with a button that copies it. */
  copy?: boolean;
}

/** Who on the chain: the address, and a way to copy it. */
export function Address({ address, whole = false, copy = true }: AddressProps) {
  const { t } = useTranslation(['chain', 'common']);
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex" className={classes.address}>
      {whole ? (
        <InGroups address={address} />
      ) : (
        <Text component="span" inherit ff="monospace" title={address}>
          {shortAddress(address)}
        </Text>
      )}
      {copy && <CopyIcon text={address} label={t('chain:copyAddress', { address: shortAddress(address) })} />}
    </Group>
  );
}

/** The gaps are only seen: who selects and copies it gets the address. */
function InGroups({ address }: { address: string }) {
  const groups = address.match(/.{1,4}/g) ?? [];
  return (
    <span className={classes.groups}>
      {groups.map((group, place) => (
        <Fragment key={place}>
          <span data-end={place === 0 || place === groups.length - 1 || undefined}>{group}</span>
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}
