import { IconShieldExclamation } from '@tabler/icons-react';
import { Note } from '../../components/Note.tsx';
import { worded } from '../../i18n/worded.ts';
import type { WalletList } from './wallet-list.ts';

/** Why files of wallets are not used as they are, and what mends it. Nothing where all are. */
export function Refusals({ of: { refusals } }: { of: WalletList }) {
  return refusals.map((refusal) => (
    <Note
      key={refusal.hint ?? refusal.message}
      state="pause"
      icon={IconShieldExclamation}
      title={worded(refusal, 'message')}
      role="alert"
    >
      {worded(refusal, 'hint')}
    </Note>
  ));
}
